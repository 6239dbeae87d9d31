import { Box, Stack, Text, ThemeIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

/** Replaces an empty list with a drawing, an explanation and the next step. */
export function EmptyState({ icon, text, children }: { icon: Icon; text: string; children?: ReactNode }) {
  return (
    <Stack align="center" gap="sm" py="xl">
      <EmptyDrawing icon={icon} />
      <Text ta="center" maw={480}>
        {text}
      </Text>
      {children}
    </Stack>
  );
}

const CARD = { width: 76, height: 84, rx: 8, fill: 'var(--mantine-color-body)', stroke: 'currentColor' };

/** Sheets without content, and what would be on them. */
function EmptyDrawing({ icon: Icon }: { icon: Icon }) {
  return (
    <Box pos="relative" w={160} h={116} c="var(--mantine-color-default-border)" aria-hidden>
      <svg width={160} height={116} viewBox="0 0 160 116" fill="none" strokeWidth={1.5} strokeLinecap="round">
        <ellipse cx={80} cy={108} rx={58} ry={6} fill="currentColor" opacity={0.5} />
        <rect {...CARD} x={30} y={16} transform="rotate(-9 68 58)" />
        <rect {...CARD} x={56} y={14} transform="rotate(7 94 56)" />
        <rect {...CARD} x={42} y={10} />
        <path d="M54 28h26M54 42h52M54 54h52M54 66h34" stroke="currentColor" strokeWidth={4} />
        <path
          d="M18 34v10M13 39h10M140 20v8M136 24h8"
          stroke="var(--mantine-primary-color-filled)"
          opacity={0.7}
        />
        <circle cx={24} cy={82} r={3} stroke="var(--mantine-primary-color-filled)" opacity={0.7} />
      </svg>
      <ThemeIcon size={40} radius="xl" pos="absolute" bottom={4} right={26}>
        <Icon size={22} />
      </ThemeIcon>
    </Box>
  );
}
