import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { keyTexts as texts } from '../texts/keys.ts';
import { KeyDialog } from './key-dialog.tsx';
import type { KeyPreset } from './key-presets.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { toastSuccess } from './toast.tsx';

/** Creates an API key and shows it once. `onCreated` gets the key. */
export function CreateKeyButton({
  preset,
  onCreated,
}: {
  /** The preset that is selected first. */
  preset?: KeyPreset;
  onCreated?: (key: string) => void;
}) {
  const [isCreating, setCreating] = useState(false);
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
        {texts.create}
      </Button>
      {isCreating && (
        <KeyDialog
          preset={preset}
          onClose={() => setCreating(false)}
          onCreated={({ name, key }) => {
            setCreating(false);
            if (key === null) {
              toastSuccess(texts.lost);
              return;
            }
            setCreated({ name, key });
            onCreated?.(key);
          }}
        />
      )}
      <SecretDialog
        title={texts.createdTitle}
        label={texts.secret(created?.name ?? '')}
        secret={created?.key ?? null}
        onDone={() => setCreated(null)}
      />
    </>
  );
}
