import { Box, Code, Group, Text } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** Code with a title and a copy button. */
export function CodeBlock({ title, code }: { title: string; code: string }) {
  return (
    <Box>
      <Group justify="space-between" mb={4}>
        <Text fw={600}>{title}</Text>
        <CopyButton text={code} what={title} />
      </Group>
      <Code block tabIndex={0} role="region" aria-label={title}>
        {code}
      </Code>
    </Box>
  );
}
