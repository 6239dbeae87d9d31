import { Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

/**
 * What was loaded for the previous filter or period stays in place until the current one has
 * loaded, but must not look like its result. A fast response changes nothing that users see.
 */
export function Outdated({ when, children }: { when: boolean; children: ReactNode }) {
  return (
    <Stack gap="md" aria-busy={when} className={when ? 'outdated' : undefined}>
      {when && <VisuallyHidden role="status" aria-label={shellTexts.loading} />}
      {children}
    </Stack>
  );
}
