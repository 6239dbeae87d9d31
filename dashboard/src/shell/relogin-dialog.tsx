import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MeOut } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { announceUser, onAnnouncedUser, setOtherUser } from '../api/other-user.ts';
import { sessionEnded, useHasWaiting, useSessionEnded } from '../api/session-ended.ts';
import { challengeOf, fetchMe, isSingleSignOnRequired, logIn, meQuery } from '../api/session.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { HiddenUsername } from '../components/hidden-username.tsx';
import { shellTexts } from '../texts/shell.ts';
import { CodeForm } from './code-form.tsx';
import { SingleSignOnAgain } from './single-sign-on-again.tsx';

const texts = shellTexts.loginAgain;

/**
 * A dialog over the screen, so that an ended session loses neither the user's input nor the last
 * change.
 */
export function ReloginDialog({ me }: { me: MeOut }) {
  const isNeeded = useSessionEnded();
  const text = useHasWaiting() ? texts.waiting : texts.text;
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { password: '' } });
  const again = useMutation({
    mutationFn: ({ password }: { password: string }) => logIn({ email: me.email, password }),
    meta: { showsError: true },
    onSuccess: continueAs,
  });
  // Another tab has logged in.
  const resume = useMutation({
    mutationFn: () => fetchMe(),
    meta: { showsError: true },
    onSuccess: (user) => (user.id === me.id ? continueAs(user) : setOtherUser(true)),
  });
  const { mutate: resumeSession } = resume;
  useEffect(() => {
    if (!isNeeded) return undefined;
    return onAnnouncedUser((userId) => userId === me.id && resumeSession());
  }, [isNeeded, me.id, resumeSession]);
  const challenge = challengeOf(again.error);
  const { singleSignOnRequired } = me.account;
  // Users of the identity provider may have no password.
  const needsProvider =
    singleSignOnRequired || me.loginMethod === 'single_sign_on' || isSingleSignOnRequired(again.error);

  async function continueAs(user: MeOut): Promise<void> {
    form.reset();
    again.reset();
    queryClient.setQueryData(meQuery.queryKey, user);
    announceUser(user.id);
    sessionEnded.end({ isSameUser: true });
    await queryClient.invalidateQueries();
  }

  return (
    <Modal
      opened={isNeeded}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={texts.title}
      // Over the dialog whose change was refused, and over that for the password.
      zIndex={500}
    >
      {challenge !== null && (
        <CodeForm challenge={challenge} onLoggedIn={continueAs} onBack={() => again.reset()} />
      )}
      {needsProvider && (
        <SingleSignOnAgain
          text={singleSignOnRequired && !again.error ? `${text} ${texts.singleSignOn}` : text}
          error={resume.error ?? again.error}
          isPending={resume.isPending}
          onContinue={() => resumeSession()}
        >
          <Button variant="subtle" component="a" href="/login">
            {texts.asOther}
          </Button>
        </SingleSignOnAgain>
      )}
      {!needsProvider && (
        <form hidden={challenge !== null} onSubmit={form.onSubmit((values) => again.mutate(values))}>
          <Stack>
            <Text>{text}</Text>
            <FailureAlert error={again.error} />
            <HiddenUsername email={me.email} />
            <PasswordInput
              label={texts.password(me.email)}
              autoComplete="current-password"
              required
              data-autofocus
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={again.isPending}>
              {texts.logIn}
            </Button>
            <Button variant="subtle" component="a" href="/login">
              {texts.asOther}
            </Button>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
