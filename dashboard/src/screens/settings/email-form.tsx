import { Button, PasswordInput, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { changeMe, meQuery, useMe } from '../../api/session.ts';
import { toastDone } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { UsernameForManagers } from '../../components/username-for-managers.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.profile;

export function EmailForm() {
  const me = useMe();
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { email: '', currentPassword: '' } });
  const save = useMutation({
    mutationFn: changeMe,
    onSuccess(changed) {
      queryClient.setQueryData(meQuery.queryKey, changed);
      form.reset();
      toastDone(texts.emailChanged);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedWarning when={form.isDirty()} />
      <Stack maw={480}>
        <Title order={3} size="h4">
          {texts.emailTitle}
        </Title>
        <UsernameForManagers email={me.email} />
        <TextInput
          label={texts.newEmail}
          description={texts.newEmailHint}
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={texts.passwordToConfirm}
          required
          autoComplete="current-password"
          {...form.getInputProps('currentPassword')}
        />
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.changeEmail}
        </Button>
      </Stack>
    </form>
  );
}
