import { Button, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MIN_PASSWORD_LENGTH } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { changeMe, useMe } from '../../api/session.ts';
import { toastDone } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { UsernameForManagers } from '../../components/username-for-managers.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.profile;

export function PasswordForm() {
  const me = useMe();
  const form = useForm({ initialValues: { currentPassword: '', password: '' } });
  const save = useMutation({
    mutationFn: changeMe,
    onSuccess() {
      form.reset();
      toastDone(texts.passwordChanged);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedWarning when={form.isDirty()} />
      <Stack maw={480}>
        <Title order={3} size="h4">
          {texts.passwordTitle}
        </Title>
        <UsernameForManagers email={me.email} />
        <PasswordInput
          label={texts.currentPassword}
          required
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <PasswordInput
          label={texts.newPassword}
          description={texts.passwordHint}
          required
          minLength={MIN_PASSWORD_LENGTH}
          maxLength={256}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.changePassword}
        </Button>
      </Stack>
    </form>
  );
}
