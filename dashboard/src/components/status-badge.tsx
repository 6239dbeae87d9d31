import { Badge } from '@mantine/core';

/** A state, told by its word; the colour only helps to find it. */
export function StatusBadge({ colour, children }: { colour: string; children: string }) {
  return (
    <Badge variant="dot" color={colour} tt="none" miw="max-content">
      {children}
    </Badge>
  );
}
