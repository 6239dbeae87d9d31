import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { lazyScreen } from '../navigation/lazy-screen.ts';
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
      <EmptyState icon={IconAlertTriangle} text={textOf(error)}>
        {isApiError(error) ? (
          <Button onClick={() => void router.invalidate()}>{shellTexts.retry}</Button>
        ) : (
          <Button onClick={() => window.location.reload()}>{texts.reload}</Button>
        )}
      </EmptyState>
    </Page>
  );
}

function textOf(error: unknown): string {
  if (isApiError(error)) return error.fullMessage();
  return navigator.onLine ? texts.text : texts.offline;
}

/** Replaces a screen that isn't for the user's role. */
export const NoAccess = lazyScreen(() => import('./missing-screens.tsx'), 'NoAccess');

export const NotFound = lazyScreen(() => import('./missing-screens.tsx'), 'NotFound');
