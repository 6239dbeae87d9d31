import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { formErrors } from '../../api/api-error.ts';
import { resetPassword } from '../../api/login-links.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { loginPageTexts } from '../../texts/login-pages.ts';
import { loginTexts } from '../../texts/login.ts';
import { LoginFrame } from '../../components/login-frame.tsx';

const texts = loginPageTexts.reset;

/**
 * Sets a new password. The token is in the fragment of the URL, which browsers send to no server.
 */
export function ResetPasswordScreen() {
  const { hash: token } = useLocation();
  const form = useForm({ initialValues: { password: '' } });
  const save = useMutation({
    mutationFn: ({ password }: { password: string }) => resetPassword({ token, password }),
    meta: { showsError: true },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  if (save.isSuccess) {
    return (
      <LoginFrame title={texts.savedTitle}>
        <Text role="status">{texts.saved}</Text>
        <TextLink to="/login">{loginTexts.logIn}</TextLink>
      </LoginFrame>
    );
  }
  return (
    <LoginFrame title={texts.title}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <FailureAlert error={save.error} inputs={Object.keys(form.values)} />
          <NewPasswordInput
            label={texts.password}
            description={texts.passwordHint}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
          <TextLink to="/forgot-password">{texts.request}</TextLink>
          <TextLink to="/login">{loginTexts.back}</TextLink>
        </Stack>
      </form>
    </LoginFrame>
  );
}
