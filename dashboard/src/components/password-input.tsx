import { PasswordInput as Input, type PasswordInputProps } from '@mantine/core';
import { shellTexts } from '../texts/shell.ts';

/** For screens with several passwords: the name of the button says which one it shows. */
export function PasswordInput({ label, ...props }: PasswordInputProps & { label: string }) {
  return (
    <Input
      label={label}
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': shellTexts.showPasswordOf(label) }}
      {...props}
    />
  );
}
