import { Box } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

/** Settings for experts, folded until the user opens them or one of them has an error. */
export function Advanced({ hasError, children }: { hasError: boolean; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="advanced"
      open={isOpen || hasError}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{shellTexts.advanced}</summary>
      <Box pt="sm">{children}</Box>
    </details>
  );
}
