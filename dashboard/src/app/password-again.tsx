import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MeOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../api/api-error.ts';
import { passwordAgain, usePasswordAgain } from '../api/password-again.ts';
import { reauthenticate } from '../api/session.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { UsernameForManagers } from '../components/username-for-managers.tsx';
import { shellTexts } from '../texts/shell.ts';

const texts = shellTexts.passwordAgain;

/** Asks for the password before a call that needs a recent login is repeated; over dialogs, which keep what was typed. */
export function PasswordAgain({ me }: { me: MeOut }) {
  const isNeeded = usePasswordAgain();
  const form = useForm({ initialValues: { password: '' } });
  const confirm = useMutation({
    mutationFn: reauthenticate,
    meta: { showsError: true },
    onSuccess: () => end(true),
    onError: (error) => form.setErrors(formErrors(error)),
  });

  function end(isGiven: boolean): void {
    form.reset();
    confirm.reset();
    passwordAgain.end(isGiven);
  }

  return (
    <Modal
      opened={isNeeded}
      onClose={() => end(false)}
      closeOnClickOutside={false}
      title={texts.title}
      closeButtonProps={{ 'aria-label': shellTexts.close }}
      zIndex={400}
    >
      <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
        <Stack>
          <Text>{texts.text}</Text>
          <FailureAlert error={confirm.error} />
          <UsernameForManagers email={me.email} />
          <PasswordInput
            label={shellTexts.loginAgain.password(me.email)}
            autoComplete="current-password"
            required
            data-autofocus
            {...form.getInputProps('password')}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={() => end(false)}>
              {shellTexts.cancel}
            </Button>
            <Button type="submit" loading={confirm.isPending}>
              {texts.confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
