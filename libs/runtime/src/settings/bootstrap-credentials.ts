import { readFileSync } from 'node:fs';
import { SettingsError, settingsSchema, type Settings } from './settings.ts';

type CredentialSettings = Pick<
  Settings,
  | 'SVC_BOOTSTRAP_PASSWORD'
  | 'SVC_BOOTSTRAP_PASSWORD_FILE'
  | 'SVC_BOOTSTRAP_API_KEY'
  | 'SVC_BOOTSTRAP_API_KEY_FILE'
>;

interface BootstrapCredentials {
  password?: string;
  /** The setting that the password is from, for error messages. */
  passwordFrom: string;
  apiKey?: string;
}

/**
 * Reads the configured credentials of the first account, from the environment or the files that it
 * names. The environment wins where both are set.
 * @throws SettingsError if a file can't be read or has other content; the message never shows it
 */
export function readBootstrapCredentials(settings: CredentialSettings): BootstrapCredentials {
  const { SVC_BOOTSTRAP_PASSWORD: password, SVC_BOOTSTRAP_API_KEY: apiKey } = settings;
  const { SVC_BOOTSTRAP_PASSWORD_FILE: passwordFile, SVC_BOOTSTRAP_API_KEY_FILE: keyFile } = settings;
  const filePassword =
    password === undefined && passwordFile
      ? readCredential('SVC_BOOTSTRAP_PASSWORD', passwordFile, 'a password with at least 12 characters')
      : undefined;
  const fileKey =
    apiKey === undefined && keyFile
      ? readCredential('SVC_BOOTSTRAP_API_KEY', keyFile, 'svc_key_ and 43 base64url characters')
      : undefined;
  return {
    passwordFrom:
      filePassword === undefined
        ? 'SVC_BOOTSTRAP_PASSWORD'
        : `SVC_BOOTSTRAP_PASSWORD_FILE ${passwordFile}: its password`,
    ...withValue('password', password ?? filePassword),
    ...withValue('apiKey', apiKey ?? fileKey),
  };
}

const withValue = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<K, string>>;

function readCredential(
  setting: 'SVC_BOOTSTRAP_PASSWORD' | 'SVC_BOOTSTRAP_API_KEY',
  path: string,
  expected: string,
): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`${setting}_FILE ${path} can't be read: ${(error as Error).message}`);
  }
  // Editors and `echo` end a file with a line break, which isn't a part of the credential.
  const value = text.replace(/\r?\n$/, '');
  const parsed = settingsSchema.shape[setting].safeParse(value);
  if (!parsed.success || parsed.data === undefined)
    throw new SettingsError(`${setting}_FILE ${path} must contain ${expected}`);
  return parsed.data;
}
