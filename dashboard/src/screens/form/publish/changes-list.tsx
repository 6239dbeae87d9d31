import { Group, List, Stack, Text } from '@mantine/core';
import type { Change } from './changes.ts';
import { publishTexts } from '../../../texts/publish.ts';

const texts = publishTexts.changes;
const MAX_SHOWN = 300;

/** Differences in words, each with the values before and after. */
export function ChangesList({ changes, label }: { changes: readonly Change[]; label: string }) {
  return (
    <List listStyleType="none" spacing="xs" aria-label={label}>
      {changes.map((change, index) => (
        <List.Item key={index}>
          <Stack gap={2}>
            <Group gap="xs" wrap="nowrap" align="baseline">
              <Text c="dimmed" size="sm" miw="max-content">
                {texts[change.kind === 'moved' ? 'changed' : change.kind]}
              </Text>
              <Text fw={500}>{subjectOf(change)}</Text>
            </Group>
            <Values change={change} />
          </Stack>
        </List.Item>
      ))}
    </List>
  );
}

function Values({ change: { before, after } }: { change: Change }) {
  return (
    <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
      {before !== undefined && <del aria-label={texts.from}>{shown(before)}</del>}
      {before !== undefined && after !== undefined && ' → '}
      {after !== undefined && (
        <ins aria-label={texts.to} style={{ textDecoration: 'none' }}>
          {shown(after)}
        </ins>
      )}
    </Text>
  );
}

/** `Field “Email” › Label`. */
function subjectOf({ kind, field, path }: Change): string {
  if (kind === 'moved') return texts.moved;
  const names = path.filter((name, index) => index > 0 || name !== 'settings').map(wordsOf);
  return [...(field ? [texts.field(field.label ?? field.name)] : []), ...names].join(' › ');
}

/** `submitLabel` → `Submit label`, unless we have a name for it. */
function wordsOf(name: string): string {
  if (Object.hasOwn(texts.paths, name)) return texts.paths[name as keyof typeof texts.paths];
  const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shown(value: unknown): string {
  if (value === '') return texts.nothing;
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = typeof value === 'string' ? value : isList ? value.join(', ') : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
