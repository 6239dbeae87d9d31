import { Page } from '../../components/page.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';

const texts = settingsTexts.profile;

/** The current user's name, email address and password. */
export function ProfileScreen() {
  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <ProfileForm />
      <PasswordForm />
      <EmailForm />
    </Page>
  );
}
