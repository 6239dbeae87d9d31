import { Badge } from '@mantine/core';
import './status-badge.css';

/** What each color of a badge means, on every screen. */
const COLORS = {
  /** It works, or it succeeded. */
  good: 'teal',
  /** In progress or waiting. */
  open: 'blue',
  /** Somebody should look at it before it stops. */
  attention: 'orange',
  /** It failed, was refused, or stopped because of failures. */
  bad: 'red',
  /** Disabled, finished or neutral. */
  neutral: 'gray',
} as const;
export type Tone = keyof typeof COLORS;

/** A status. The text alone carries the meaning, not the color. */
export function StatusBadge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge
      className="status-badge"
      variant="dot"
      color={COLORS[tone]}
      tt="none"
      vars={() => ({ root: { '--badge-dot-color': dotColor(COLORS[tone]) } })}
    >
      {children}
    </Badge>
  );
}

/** The shade of buttons is too dim for a dot on a dark page. */
function dotColor(color: string): string {
  return `light-dark(var(--mantine-color-${color}-7), var(--mantine-color-${color}-4))`;
}
