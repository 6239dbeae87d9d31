import type { PasswordInputProps } from '@mantine/core';
import { MIN_PASSWORD_LENGTH } from '@svcforms/contracts';
import { PasswordInput } from './password-input.tsx';

/** Asks for a password that the server would accept. `required` unless the current one may stay. */
export function NewPasswordInput({ required = true, ...props }: PasswordInputProps & { label: string }) {
  return (
    <PasswordInput
      required={required}
      minLength={MIN_PASSWORD_LENGTH}
      maxLength={256}
      autoComplete="new-password"
      {...props}
    />
  );
}
