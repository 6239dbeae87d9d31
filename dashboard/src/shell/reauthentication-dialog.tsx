import { Button, Group, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MeOut } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../api/api-error.ts';
import { reauthentication, useReauthenticationNeeded } from '../api/reauthentication.ts';
import { reauthenticate } from '../api/session.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { HiddenUsername } from '../components/hidden-username.tsx';
import { shellTexts } from '../texts/shell.ts';
import { SingleSignOnAgain } from './single-sign-on-again.tsx';

const texts = shellTexts.passwordAgain;

/**
 * Asks for the password when a request needs a recent login. Opens over other dialogs, which keep
 * the user's input.
 */
export function ReauthenticationDialog({ me }: { me: MeOut }) {
  const isNeeded = useReauthenticationNeeded();
  // Users of the identity provider may have no password.
  const isSingleSignOn = me.account.singleSignOnRequired || me.loginMethod === 'single_sign_on';
  const form = useForm({ initialValues: { password: '' } });
  const confirm = useMutation({
    mutationFn: reauthenticate,
    meta: { showsError: true },
    onSuccess: () => end(true),
    onError: (error) => form.setErrors(formErrors(error)),
  });

  function end(isConfirmed: boolean): void {
    form.reset();
    confirm.reset();
    reauthentication.end(isConfirmed);
  }

  return (
    <Modal
      opened={isNeeded}
      onClose={() => end(false)}
      closeOnClickOutside={false}
      title={isSingleSignOn ? texts.singleSignOnTitle : texts.title}
      zIndex={400}
    >
      {isSingleSignOn ? (
        <SingleSignOnAgain
          text={texts.singleSignOnText}
          error={null}
          isPending={false}
          onContinue={() => end(true)}
        >
          <Button variant="subtle" onClick={() => end(false)}>
            {shellTexts.cancel}
          </Button>
        </SingleSignOnAgain>
      ) : (
        <form onSubmit={form.onSubmit((values) => confirm.mutate(values))}>
          <Stack>
            <Text>{texts.text}</Text>
            <FailureAlert error={confirm.error} inputs={Object.keys(form.values)} />
            <HiddenUsername email={me.email} />
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
                {shellTexts.confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
