import { Group, List, Stack, Text } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { allGroupsQuery } from '../../../api/groups.ts';
import { publishTexts } from '../../../texts/publish.ts';
import { useUserName } from '../../../api/use-user-name.ts';
import { shortened, subjectOf, valueInWords, type Names } from './change-words.ts';
import type { Change } from '../draft/changes.ts';

const texts = publishTexts.changes;

/** Differences in words, each with the values before and after. */
export function ChangesList({
  changes,
  fields,
  label,
}: {
  changes: readonly Change[];
  /** The fields of both definitions, whose labels stand for their names. */
  fields: readonly FormField[];
  label: string;
}) {
  const nameOf = useUserName();
  const groups = useQuery(allGroupsQuery);
  const ofId = (id: string) => {
    if (!id.startsWith('grp_')) return nameOf(id);
    if (!groups.data) return id;
    return groups.data.find((group) => group.id === id)?.name ?? texts.deletedGroup;
  };
  const names: Names = { fields, ofId };
  return (
    <List listStyleType="none" spacing="xs" aria-label={label}>
      {changes.map((change, index) => (
        <List.Item key={index}>
          <Stack gap={2}>
            <Group gap="xs" wrap="nowrap" align="baseline">
              <Text c="dimmed" size="sm" miw="max-content">
                {texts[change.kind === 'moved' ? 'changed' : change.kind]}
              </Text>
              <Text fw={500}>{subjectOf(change, names)}</Text>
            </Group>
            <Values change={change} names={names} />
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}

function Values({ change, names }: { change: Change; names: Names }) {
  const { before, after } = change;
  const shown = (value: unknown, other: unknown) => {
    const words = valueInWords(change, value, names);
    return shortened(words, other === undefined ? '' : valueInWords(change, other, names));
  };
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {before !== undefined && <del aria-label={texts.from}>{shown(before, after)}</del>}
      {before !== undefined && after !== undefined && ' → '}
      {after !== undefined && (
        <ins aria-label={texts.to} style={{ textDecoration: 'none' }}>
          {shown(after, before)}
        </ins>
      )}
    </Text>
  );
}
