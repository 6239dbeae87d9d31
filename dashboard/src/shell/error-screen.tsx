import { Button } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconMapPinOff } from '@tabler/icons-react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { isApiError, isMissing } from '../api/api-error.ts';
import { useMe } from '../api/session.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { shellTexts } from '../texts/shell.ts';

const texts = shellTexts.failed;

/**
 * Replaces a screen that failed. An API error offers a retry. A failed chunk or a rendering error
 * needs a reload of the page.
 */
export function ErrorScreen({ error }: ErrorComponentProps) {
  const router = useRouter();
  // A screen that is shown again from memory finds out that its form was deleted.
  if (isMissing(error)) return <NotFound />;
  return (
    <Page title={texts.title}>
      <EmptyState icon={IconAlertTriangle} text={isApiError(error) ? error.fullMessage() : texts.text}>
        {isApiError(error) ? (
          <Button onClick={() => void router.invalidate()}>{texts.again}</Button>
        ) : (
          <Button onClick={() => window.location.reload()}>{texts.reload}</Button>
        )}
      </EmptyState>
    </Page>
  );
}

/** Replaces a screen that isn't for the user's role. `of`: the name of the form, or of the settings. */
export function NoAccess({ of }: { of?: string }) {
  const { role } = useMe();
  return (
    <Page title={shellTexts.noAccess.title} {...(of !== undefined && { of })}>
      <EmptyState icon={IconLock} text={shellTexts.noAccess.text(shellTexts.roles[role])}>
        <ButtonLink to="/">{shellTexts.noAccess.home}</ButtonLink>
      </EmptyState>
    </Page>
  );
}

export function NotFound() {
  return (
    <Page title={shellTexts.notFound.title}>
      <EmptyState icon={IconMapPinOff} text={shellTexts.notFound.text}>
        <ButtonLink to="/forms">{shellTexts.notFound.home}</ButtonLink>
      </EmptyState>
    </Page>
  );
}
