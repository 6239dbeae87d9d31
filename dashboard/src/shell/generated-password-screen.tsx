import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MeOut } from '@svcforms/contracts';
import { formErrors } from '../api/api-error.ts';
import { meQuery, updateMe } from '../api/session.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { HiddenUsername } from '../components/hidden-username.tsx';
import { LoginFrame } from '../components/login-frame.tsx';
import { NewPasswordInput } from '../components/new-password-input.tsx';
import { PasswordInput } from '../components/password-input.tsx';
import { generatedPasswordTexts } from '../texts/generated-password.ts';
import { useLogOut } from '../api/use-log-out.ts';

const texts = generatedPasswordTexts;

/**
 * In place of every screen until a generated password is changed: the API refuses all other calls.
 * docs/reference/authentication.md#passwords
 */
export function GeneratedPasswordScreen({ me }: { me: MeOut }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const form = useForm({ initialValues: { currentPassword: '', password: '' } });
  const save = useMutation({
    mutationFn: updateMe,
    meta: { showsError: true },
    async onSuccess(changed) {
      queryClient.setQueryData(meQuery.queryKey, changed);
      // The API refused what the screen needs until now.
      await router.invalidate();
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  const leave = useLogOut();
  return (
    <LoginFrame title={texts.title}>
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack>
          <Text>{texts.why}</Text>
          <FailureAlert error={save.error} />
          <HiddenUsername email={me.email} />
          <PasswordInput
            label={texts.current}
            required
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordInput label={texts.next} description={texts.hint} {...form.getInputProps('password')} />
          <Group justify="space-between">
            <Button type="submit" loading={save.isPending}>
              {texts.save}
            </Button>
            <Button variant="subtle" onClick={() => leave.mutate()} loading={leave.isPending}>
              {texts.logOut}
            </Button>
          </Group>
        </Stack>
      </form>
    </LoginFrame>
  );
}
