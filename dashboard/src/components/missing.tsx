import { IconMapPinOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { EmptyState } from './empty-state.tsx';

/** Replaces what doesn't exist, was deleted, or isn't for this user. `children`: a way back. */
export function Missing({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <EmptyState icon={IconMapPinOff} text={text}>
      {children}
    </EmptyState>
  );
}
