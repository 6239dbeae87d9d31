import { Badge } from '@mantine/core';

/** A status. The text alone carries the meaning, not the color. */
export function StatusBadge({ color, children }: { color: string; children: string }) {
  return (
    <Badge variant="dot" color={color} tt="none" miw="max-content">
      {children}
    </Badge>
  );
}
