import { Button, CloseButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { useMe } from '../../api/session.ts';
import { submissionsTexts } from '../../texts/submissions.ts';

const texts = submissionsTexts.columnSets;
const MAX_SETS = 10;

/** Sets of columns under names, which this browser keeps for the user and the form. */
export function ColumnSets({
  formId,
  chosen,
  onChange,
}: {
  formId: string;
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  const me = useMe();
  const [sets, setSets] = useLocalStorage<Readonly<Record<string, string[]>>>({
    key: `svcforms-columns-${me.id}-${formId}`,
    defaultValue: {},
    getInitialValueInEffect: false,
  });
  const [name, setName] = useState('');
  const trimmed = name.trim();
  return (
    <Stack gap="xs">
      <Text fw={600}>{texts.title}</Text>
      {Object.entries(sets).map(([setName, columns]) => (
        <Group key={setName} gap={4} wrap="nowrap">
          <Button size="compact-sm" variant="default" flex={1} onClick={() => onChange(columns)}>
            {setName}
          </Button>
          <CloseButton
            size="sm"
            aria-label={texts.remove(setName)}
            onClick={() =>
              setSets(Object.fromEntries(Object.entries(sets).filter(([other]) => other !== setName)))
            }
          />
        </Group>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (trimmed === '') return;
          setSets({ ...sets, [trimmed]: [...chosen] });
          setName('');
        }}
      >
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={texts.name}
            maxLength={40}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            disabled={trimmed === '' || (!(trimmed in sets) && Object.keys(sets).length >= MAX_SETS)}
          >
            {texts.save}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
