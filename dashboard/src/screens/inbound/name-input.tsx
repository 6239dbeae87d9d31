import { TextInput } from '@mantine/core';
import { inboundTexts as texts } from '../../texts/inbound.ts';

/** The input for the name of an inbound endpoint. */
export function NameInput({
  value,
  error,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
}) {
  return (
    <TextInput
      label={texts.name}
      description={texts.nameHint}
      required
      maxLength={100}
      autoComplete="off"
      value={value}
      error={error}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
