import { Paper, Stack, Title, type PaperProps } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps extends Pick<PaperProps, 'miw'> {
  title: string;
  /** The level of the heading. Default: 3. */
  order?: 2 | 3;
  children: ReactNode;
}

/** A section of the screen with its heading. */
export function Section({ title, order = 3, children, ...paper }: SectionProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title} {...paper}>
      <Stack gap="sm">
        <Title order={order} size="h4">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}
