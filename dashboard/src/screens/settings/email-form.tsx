import { Button, Stack, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMe } from '../../api/session.ts';
import { PasswordInput } from '../../components/password-input.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { HiddenUsername } from '../../components/hidden-username.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { useUpdateMe } from './use-update-me.ts';

const texts = settingsTexts.profile;

export function EmailForm() {
  const me = useMe();
  const form = useForm({ initialValues: { email: '', currentPassword: '' } });
  // The request then needs a recent login instead.
  const isSingleSignOn = me.account.singleSignOnRequired;
  const save = useUpdateMe(form, texts.emailChanged);
  return (
    <form
      onSubmit={form.onSubmit(({ email, currentPassword }) =>
        save.mutate({ email, ...(!isSingleSignOn && { currentPassword }) }),
      )}
    >
      <UnsavedWarning when={form.isDirty()} />
      <Stack maw={480}>
        <Title order={3} size="h4">
          {texts.emailTitle}
        </Title>
        {!isSingleSignOn && <HiddenUsername email={me.email} />}
        <TextInput
          label={texts.newEmail}
          description={texts.newEmailHint}
          type="email"
          required
          maxLength={254}
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        {!isSingleSignOn && (
          <PasswordInput
            label={texts.passwordToConfirm}
            required
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
        )}
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {texts.changeEmail}
        </Button>
      </Stack>
    </form>
  );
}
