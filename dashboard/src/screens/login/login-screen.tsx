import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { withQuery } from '../../api/client.ts';
import { loginMethodsQuery } from '../../api/login-links.ts';
import { challengeOf, logIn } from '../../api/session.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { CodeForm } from '../../shell/code-form.tsx';
import { loginPageTexts } from '../../texts/login-pages.ts';
import { loginTexts as texts } from '../../texts/login.ts';
import { LoginFrame } from '../../components/login-frame.tsx';
import { useLoggedIn } from './use-logged-in.ts';

export function LoginScreen() {
  const { to, failure } = useSearch({ from: '/login' });
  const { data: methods } = useQuery(loginMethodsQuery);
  const loggedIn = useLoggedIn();
  const form = useForm({ initialValues: { email: '', password: '' } });
  const login = useMutation({
    mutationFn: logIn,
    meta: { showsError: true },
    onSuccess: (me) => loggedIn(me, to),
  });
  const challenge = challengeOf(login.error);
  if (challenge !== null) {
    return (
      <LoginFrame title={texts.secondFactor.title}>
        <CodeForm
          challenge={challenge}
          onLoggedIn={(me) => loggedIn(me, to)}
          onBack={() => {
            login.reset();
            form.reset();
          }}
        />
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={texts.title}>
      <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack>
          {isFailure(failure) && !login.error && (
            <Alert role="alert" variant="outline" color="red">
              {loginPageTexts.failures[failure]}
            </Alert>
          )}
          <FailureAlert error={login.error} />
          <TextInput
            label={texts.email}
            type="email"
            autoComplete="username"
            required
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label={texts.password}
            autoComplete="current-password"
            required
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={login.isPending}>
            {texts.logIn}
          </Button>
          {methods?.singleSignOn && (
            <Button component="a" variant="default" href={withQuery('/api/auth/oidc/start', { to })}>
              {texts.singleSignOn}
            </Button>
          )}
          <TextLink to="/forgot-password">{texts.forgotten}</TextLink>
        </Stack>
      </form>
    </LoginFrame>
  );
}

/** Why a login with the identity provider failed. The URL may say anything. */
function isFailure(text = ''): text is keyof typeof loginPageTexts.failures {
  return Object.hasOwn(loginPageTexts.failures, text);
}
