import { Button, PasswordInput, Stack, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MIN_PASSWORD_LENGTH } from '@svcforms/contracts';
import { useMe } from '../../api/session.ts';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { useUpdateMe } from './use-update-me.ts';

const texts = settingsTexts.profile;

export function PasswordForm() {
  const me = useMe();
  const form = useForm({ initialValues: { currentPassword: '', password: '' } });
  const save = useUpdateMe(form, texts.passwordChanged);
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedWarning when={form.isDirty()} />
      <Stack maw={480}>
        <Title order={3} size="h4">
          {texts.passwordTitle}
        </Title>
        <HiddenUsername email={me.email} />
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
