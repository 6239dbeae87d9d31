import { Stack, Switch } from '@mantine/core';
import type { FormSettings } from '@svcforms/contracts';
import { LinesInput } from '../../../components/lines-input.tsx';
import { buildTexts } from '../../../texts/build.ts';
import { errorUnder } from '../draft/error-under.ts';
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
      <LinesInput
        label={texts.blockList}
        hint={texts.blockListHint}
        lines={blocked}
        disabled={!spam.isEnabled}
        error={errorUnder(errors, 'settings.spam.blockList')}
        onChange={(entries) =>
          onChange({
            ...settings,
            spam: withProperty(spam, 'blockList', entries.length > 0 ? entries : undefined),
          })
        }
      />
    </Stack>
  );
}
