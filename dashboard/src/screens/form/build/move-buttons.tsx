import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';

/** The buttons that move a row of a list up and down. `up` and `down` name them with their row. */
export function MoveButtons({
  index,
  isLast,
  up,
  down,
  size,
  onMove,
}: {
  index: number;
  isLast: boolean;
  up: string;
  down: string;
  size?: ActionIconProps['size'];
  onMove: (to: number, button: Element) => void;
}) {
  const moves = [
    { label: up, to: index - 1, isOff: index === 0, Icon: IconArrowUp },
    { label: down, to: index + 1, isOff: isLast, Icon: IconArrowDown },
  ];
  return moves.map(({ label, to, isOff, Icon }) => (
    <ActionIcon
      key={to}
      variant="default"
      size={size}
      aria-label={label}
      disabled={isOff}
      onClick={({ currentTarget }) => onMove(to, currentTarget)}
    >
      <Icon size={14} aria-hidden />
    </ActionIcon>
  ));
}
