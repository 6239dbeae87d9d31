import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { withQuery } from '../api/client.ts';
import { FailureAlert } from '../components/failure-alert.tsx';
import { loginTexts } from '../texts/login.ts';

interface SingleSignOnAgainProps {
  /** Why the user has to log in. */
  text: string;
  error: Error | null;
  isPending: boolean;
  onContinue: () => void;
  /** Another button, before the others. */
  children?: ReactNode;
}

/**
 * Lets the user log in with the identity provider in another tab, so that the input of this one
 * stays, and continue here afterwards.
 */
export function SingleSignOnAgain({ text, error, isPending, onContinue, children }: SingleSignOnAgainProps) {
  return (
    <Stack>
      <Text>
        {text} {loginTexts.newTab}
      </Text>
      <FailureAlert error={error} />
      <Button
        component="a"
        href={withQuery('/api/auth/oidc/start', { to: '/settings', prompt: 'login' })}
        target="_blank"
        rel="noopener"
        data-autofocus
      >
        {loginTexts.openSingleSignOn}
      </Button>
      <Group justify="flex-end">
        {children}
        <Button variant="default" loading={isPending} onClick={onContinue}>
          {loginTexts.continue}
        </Button>
      </Group>
    </Stack>
  );
}
