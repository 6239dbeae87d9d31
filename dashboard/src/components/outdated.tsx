import { Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

/**
 * Dims its children while they are still those of the previous filter or period. Fast responses
 * cause no flicker.
 */
export function Outdated({ when, children }: { when: boolean; children: ReactNode }) {
  return (
    <Stack gap="md" aria-busy={when} className={when ? 'outdated' : undefined}>
      {when && <VisuallyHidden role="status" aria-label={shellTexts.loading} />}
      {children}
    </Stack>
  );
}
