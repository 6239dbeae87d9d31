import { Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconMapPinOff } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { isApiError } from '../api/api-error.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/links.tsx';
import { Page } from '../components/page.tsx';
import { shellTexts } from '../texts/shell.ts';

const texts = shellTexts.failed;

/** In the place of a screen that could not be shown. */
export function Failed({ error, reset }: ErrorComponentProps) {
  return (
    <Page title={texts.title}>
      <EmptyState icon={IconAlertTriangle} text={isApiError(error) ? error.forPeople() : texts.text}>
        <Group justify="center">
          <Button onClick={reset}>{texts.again}</Button>
          <Button variant="default" onClick={() => window.location.reload()}>
            {texts.reload}
          </Button>
        </Group>
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
