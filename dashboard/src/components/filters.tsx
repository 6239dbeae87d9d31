import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { shellTexts } from '../texts/shell.ts';

/** Filters in a row. Phones show them after a click. `active`: how many of them have a value. */
export function Filters({ active, children }: { active: number; children: ReactNode }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <>
      <Button
        hiddenFrom="sm"
        variant="default"
        leftSection={<IconFilter size={16} aria-hidden />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {shellTexts.filters(active)}
      </Button>
      <Group align="flex-end" gap="sm" {...(!isOpen && { visibleFrom: 'sm' })}>
        {children}
      </Group>
    </>
  );
}
