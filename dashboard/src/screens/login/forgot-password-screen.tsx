import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { loginMethodsQuery, requestPasswordReset } from '../../api/login-links.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { loginPageTexts } from '../../texts/login-pages.ts';
import { loginTexts } from '../../texts/login.ts';
import { LoginFrame } from '../../components/login-frame.tsx';

const texts = loginPageTexts.forgot;

/** Requests the link that resets a password, or says who can reset it. */
export function ForgotPasswordScreen() {
  const methods = useQuery(loginMethodsQuery);
  const form = useForm({ initialValues: { email: '' } });
  const request = useMutation({ mutationFn: requestPasswordReset, meta: { showsError: true } });
  return (
    <LoginFrame title={request.isSuccess ? texts.sentTitle : texts.title}>
      <Stack>
        {methods.isPending && <Loading />}
        {methods.isError && <FailureAlert error={methods.error} retry={methods.refetch} />}
        {methods.data?.passwordReset === 'operator' && (
          <>
            <Text>{texts.noEmail}</Text>
            <CodeBlock title={texts.command} code="npm run admin -- user set-password EMAIL" />
          </>
        )}
        {methods.data?.passwordReset === 'email' && request.isSuccess && (
          <Text role="status">{texts.sent(form.values.email)}</Text>
        )}
        {methods.data?.passwordReset === 'email' && !request.isSuccess && (
          <form onSubmit={form.onSubmit((values) => request.mutate(values))}>
            <Stack>
              <Text>{texts.text}</Text>
              {methods.data.singleSignOn && <Text>{texts.singleSignOn}</Text>}
              <FailureAlert error={request.error} />
              <TextInput
                label={loginTexts.email}
                type="email"
                autoComplete="username"
                maxLength={254}
                required
                {...form.getInputProps('email')}
              />
              <Button type="submit" loading={request.isPending}>
                {texts.send}
              </Button>
            </Stack>
          </form>
        )}
        <TextLink to="/login">{loginTexts.back}</TextLink>
      </Stack>
    </LoginFrame>
  );
}
