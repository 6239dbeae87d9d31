import { Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Replaces an empty list with an explanation and the next step. */
export function EmptyState({
  icon: Icon,
  text,
  children,
}: {
  icon: Icon;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <ThemeIcon size={48} radius="xl" variant="default" aria-hidden>
        <Icon size={24} />
      </ThemeIcon>
      <Text ta="center" maw={480}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}
