import { Stack, Switch, Textarea } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { withProperty } from '../draft/with-property.ts';

const texts = buildTexts.spam;

/** The spam protection of a form. The block list stays while it is off. */
export function SpamInputs({
  settings,
  onChange,
  errors,
}: {
  settings: FormSettings;
  onChange: (settings: FormSettings) => void;
  /** The errors of the last save, by path. */
  errors: Readonly<Record<string, string>>;
}) {
  const spam = settings.spam ?? { isEnabled: false };
  const blocked = spam.blockList ?? [];
  const [typed, setTyped] = useState(() => blocked.join('\n'));
  const text = entriesIn(typed).join('\n') === blocked.join('\n') ? typed : blocked.join('\n');
  return (
    <Stack gap="sm">
      <Switch
        label={texts.enabled}
        description={texts.enabledHint}
        checked={spam.isEnabled}
        onChange={({ currentTarget: { checked: isEnabled } }) =>
          onChange(withProperty(settings, 'spam', { ...spam, isEnabled }))
        }
      />
      <Textarea
        label={texts.blockList}
        description={texts.blockListHint}
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        disabled={!spam.isEnabled}
        value={text}
        error={entryError(blocked, errors)}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          const entries = entriesIn(currentTarget.value);
          onChange({
            ...settings,
            spam: withProperty(spam, 'blockList', entries.length > 0 ? entries : undefined),
          });
        }}
      />
    </Stack>
  );
}

const LIST = 'settings.spam.blockList';

/** The first problem of the list, with the entry that has it. */
function entryError(entries: readonly string[], errors: Readonly<Record<string, string>>) {
  const index = entries.findIndex((_, n) => errors[`${LIST}.${n}`]);
  const message = errors[LIST] ?? errors[`${LIST}.${index}`];
  return message && (index < 0 ? message : `${entries[index]}: ${message}`);
}

/** One entry per line. Blank lines may appear while the user types. */
const entriesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
