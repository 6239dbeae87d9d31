import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { lazyRouteComponent, useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { isApiError, isMissing } from '../api/api-error.ts';
import { EmptyState } from '../components/empty-state.tsx';
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
          <Button onClick={() => void router.invalidate()}>{shellTexts.retry}</Button>
        ) : (
          <Button onClick={() => window.location.reload()}>{texts.reload}</Button>
        )}
      </EmptyState>
    </Page>
  );
}

/** Replaces a screen that isn't for the user's role. */
export const NoAccess = lazyRouteComponent(() => import('./missing-screens.tsx'), 'NoAccess');

export const NotFound = lazyRouteComponent(() => import('./missing-screens.tsx'), 'NotFound');
