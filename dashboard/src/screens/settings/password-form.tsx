import { Button, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { MeOut } from '@svcforms/contracts';
import { useMe } from '../../api/session.ts';
import { PasswordInput } from '../../components/password-input.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { useUpdateMe } from './use-update-me.ts';

const texts = settingsTexts.profile;

export function PasswordForm() {
  const me = useMe();
  if (!me.account.singleSignOnRequired) return <ChangePasswordForm me={me} />;
  return (
    <Stack maw={480} gap="xs">
      <Title order={3} size="h4">
        {settingsTexts.singleSignOn.passwordTitle}
      </Title>
      <Text>{settingsTexts.singleSignOn.noPassword}</Text>
    </Stack>
  );
}

function ChangePasswordForm({ me }: { me: MeOut }) {
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
        <NewPasswordInput
          label={texts.newPassword}
          description={texts.passwordHint}
          {...form.getInputProps('password')}
        />
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.changePassword}
        </Button>
      </Stack>
    </form>
  );
}
