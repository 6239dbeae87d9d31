import { Radio, Stack, TextInput } from '@mantine/core';
import { inboundTexts as texts } from '../../texts/inbound.ts';

export interface Signing {
  choice: keyof typeof texts.signingChoices;
  own: string;
}

/** The secret for the API; undefined for none. */
export function secretOf({ choice, own }: Signing): string | true | undefined {
  return choice === 'none' ? undefined : choice === 'generate' ? true : own;
}

/** Chooses whether requests need a signature, and the signing secret. */
export function SigningChoice({
  value,
  error,
  onChange,
}: {
  value: Signing;
  error?: string | undefined;
  onChange: (value: Signing) => void;
}) {
  return (
    <>
      <Radio.Group
        label={texts.signing}
        value={value.choice}
        onChange={(choice) => onChange({ ...value, choice: choice as Signing['choice'] })}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(texts.signingChoices).map(([choice, label]) => (
            <Radio key={choice} value={choice} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      {value.choice === 'own' && (
        <TextInput
          label={texts.ownSecret}
          description={texts.ownSecretHint}
          required
          minLength={16}
          maxLength={256}
          autoComplete="off"
          value={value.own}
          error={error}
          onChange={({ currentTarget }) => onChange({ ...value, own: currentTarget.value })}
        />
      )}
    </>
  );
}
