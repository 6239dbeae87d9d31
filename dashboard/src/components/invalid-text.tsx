import { Text } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

/** Beside the button of a form whose inputs, which show their errors, may be out of view. */
export function InvalidText() {
  return (
    <Text role="alert" fw={600} c="var(--mantine-color-error)">
      {shellTexts.invalid}
    </Text>
  );
}
