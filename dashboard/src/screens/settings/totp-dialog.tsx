import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TotpSetupOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { confirmTotp } from '../../api/totp.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.secondFactor;
const QrCode = lazy(async () => ({ default: (await import('../../components/qr-code.tsx')).QrCode }));

/** Shows the secret, and takes a code that proves that the app has it. */
export function TotpDialog({
  setup: { secret, uri },
  onClose,
  onEnabled,
}: {
  setup: TotpSetupOut;
  onClose: () => void;
  onEnabled: (recoveryCodes: string[]) => unknown;
}) {
  const form = useForm({ initialValues: { code: '' } });
  const confirm = useMutation({
    mutationFn: confirmTotp,
    meta: { showsError: true },
    onSuccess: ({ recoveryCodes }) => onEnabled(recoveryCodes),
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <OpenedModal onClose={onClose} title={texts.setUpTitle} closeOnClickOutside={false}>
      <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <Stack>
          <Text>{texts.scan}</Text>
          <Group justify="center">
            <Suspense fallback={<Loading />}>
              <QrCode text={uri} label={texts.qrCode} />
            </Suspense>
          </Group>
          <TextInput
            label={texts.secret}
            value={secret}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <CopyButton text={secret} what={texts.secret} style={{ alignSelf: 'flex-start' }} />
          <FailureAlert error={confirm.error} inputs={Object.keys(form.values)} />
          <TextInput
            label={texts.code}
            required
            maxLength={10}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            {...form.getInputProps('code')}
          />
          <Button type="submit" loading={confirm.isPending}>
            {texts.turnOn}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}
