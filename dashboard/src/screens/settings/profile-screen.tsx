import { SimpleGrid } from '@mantine/core';
import { useMe } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { EmailForm } from './email-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SlackSection } from './slack-section.tsx';
import { TotpSection } from './totp-section.tsx';

const texts = settingsTexts.profile;

/** The current user's name, email address, password and second factor. */
export function ProfileScreen() {
  const me = useMe();
  // The key keeps the recovery codes on the screen when the section moves.
  const secondFactor = <TotpSection key="second-factor" />;
  const others = [
    <ProfileForm key="profile" />,
    <PasswordForm key="password" />,
    <EmailForm key="email" />,
    <SlackSection key="slack" />,
  ];
  return (
    <Page title={texts.title} of={settingsTexts.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl" verticalSpacing="xl">
        {me.mustSetUpSecondFactor ? [secondFactor, ...others] : [...others, secondFactor]}
      </SimpleGrid>
    </Page>
  );
}
