import { Paper, Stack, Title } from '@mantine/core';
import type { Popup } from '@svcforms/contracts';
import type { ReactNode } from 'react';

export interface SectionProps {
  popup: Popup;
  onChange: (popup: Popup) => void;
  /** The errors of the last save, by path below `settings.popup`. */
  error: (path: string) => string | undefined;
}

/** A section of the screen with its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
