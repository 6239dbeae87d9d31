import { Group, Text } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

/** The mark of the product with its name. */
export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap" className="logo">
      <svg width={24} height={24} viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="7" fill="#3b5bdb" />
        <path d="M8 10h16M8 16h16M8 22h9" stroke="#fff" strokeWidth="3" strokeLinecap="round" />
      </svg>
      <Text fw={700} size="md">
        {shellTexts.product}
      </Text>
    </Group>
  );
}
