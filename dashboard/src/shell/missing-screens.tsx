import { IconLock, IconMapPinOff } from '@tabler/icons-react';
import { useMe } from '../api/session.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { missingTexts as texts } from '../texts/missing.ts';
import { shellTexts } from '../texts/shell.ts';

/**
 * Replaces a screen that isn't for the user's role. `of`: the name of the form, or of the settings.
 */
export function NoAccess({ of }: { of?: string }) {
  const { role } = useMe();
  return (
    <Page title={texts.noAccess.title} {...(of !== undefined && { of })}>
      <EmptyState icon={IconLock} text={texts.noAccess.text(shellTexts.roles[role])}>
        <ButtonLink to="/">{texts.noAccess.home}</ButtonLink>
      </EmptyState>
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title={texts.notFound.title}>
      <EmptyState icon={IconMapPinOff} text={texts.notFound.text}>
        <ButtonLink to="/forms">{texts.notFound.home}</ButtonLink>
      </EmptyState>
    </Page>
  );
}
