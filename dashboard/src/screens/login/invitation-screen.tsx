import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationPreviewOut } from '@svcforms/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { formErrors } from '../../api/api-error.ts';
import { acceptInvitation, invitationPreviewQuery, loginMethodsQuery } from '../../api/login-links.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { TextLink } from '../../components/links.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { loginPageTexts } from '../../texts/login-pages.ts';
import { loginTexts } from '../../texts/login.ts';
import { shellTexts } from '../../texts/shell.ts';
import { LoginFrame } from '../../components/login-frame.tsx';
import { useLoggedIn } from './use-logged-in.ts';

const texts = loginPageTexts.invitation;

/**
 * Accepts an invitation. The token is in the fragment of the URL, which browsers send to no server.
 */
export function InvitationScreen() {
  const { hash: token } = useLocation();
  const loggedIn = useLoggedIn();
  const preview = useQuery(invitationPreviewQuery(token));
  const form = useForm({ initialValues: { name: '', password: '' } });
  const accept = useMutation({
    mutationFn: (values: { name: string; password: string }) => acceptInvitation({ token, ...values }),
    meta: { showsError: true },
    onSuccess: (me) => loggedIn(me),
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <LoginFrame title={texts.title}>
      {preview.isPending && <Loading />}
      {preview.isError && (
        <Stack>
          <FailureAlert error={preview.error} />
          <Text>{texts.ask}</Text>
          <TextLink to="/login">{loginTexts.logIn}</TextLink>
        </Stack>
      )}
      {preview.data?.singleSignOnRequired && <AcceptBySingleSignOn invitation={preview.data} />}
      {preview.data && !preview.data.singleSignOnRequired && (
        <form onSubmit={form.onSubmit((values) => accept.mutate(values))}>
          <Stack>
            <Text>{texts.text(preview.data.accountName)}</Text>
            <FailureAlert error={accept.error} inputs={Object.keys(form.values)} />
            <TextInput label={texts.email} value={preview.data.email} autoComplete="username" readOnly />
            <TextInput label={texts.role} value={shellTexts.roles[preview.data.role]} readOnly />
            <TextInput
              label={texts.name}
              required
              maxLength={200}
              autoComplete="name"
              {...form.getInputProps('name')}
            />
            <NewPasswordInput
              label={texts.password}
              description={texts.passwordHint}
              {...form.getInputProps('password')}
            />
            <Button type="submit" loading={accept.isPending}>
              {texts.accept}
            </Button>
          </Stack>
        </form>
      )}
    </LoginFrame>
  );
}

/** The login creates the user: the provider confirms the invited address. */
function AcceptBySingleSignOn({ invitation }: { invitation: InvitationPreviewOut }) {
  const { data: methods } = useQuery(loginMethodsQuery);
  return (
    <Stack>
      <Text>{texts.text(invitation.accountName)}</Text>
      <TextInput label={texts.email} value={invitation.email} readOnly />
      <TextInput label={texts.role} value={shellTexts.roles[invitation.role]} readOnly />
      {methods?.singleSignOn === false ? (
        <Text>{texts.noProvider}</Text>
      ) : (
        <>
          <Text>{texts.singleSignOn(invitation.email)}</Text>
          <Button component="a" href="/api/auth/oidc/start">
            {loginTexts.singleSignOn}
          </Button>
        </>
      )}
    </Stack>
  );
}
