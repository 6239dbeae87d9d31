import { Radio, Stack, TextInput } from '@mantine/core';
import { inboundTexts as texts } from '../../texts/inbound.ts';

export interface Signing {
  choice: keyof typeof texts.signingChoices;
  own: string;
}

/** As the API takes it; undefined for no secret. */
export function secretOf({ choice, own }: Signing): string | true | undefined {
  return choice === 'none' ? undefined : choice === 'generate' ? true : own;
}

/** Whether requests have to be signed, and with what. `error` is what the product said of the secret. */
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
