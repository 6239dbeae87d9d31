import { readFileSync } from 'node:fs';
import { SettingsError, settingsSchema, type Settings } from './settings.ts';

/** The settings that can also be in a file, which the setting with `_FILE` at its end names. */
type SecretName =
  | 'SVC_BACKUP_S3_ACCESS_KEY_ID'
  | 'SVC_BACKUP_S3_SECRET_ACCESS_KEY'
  | 'SVC_OIDC_CLIENT_SECRET'
  | 'SVC_SLACK_BOT_TOKEN'
  | 'SVC_SLACK_SIGNING_SECRET';

/**
 * Returns the secret in the setting or in its file; `undefined` without both. The environment wins
 * where both are set, as everywhere. @throws SettingsError when the file can't be read, is empty or
 * has a bad value, which the message doesn't show
 */
export function readSecret(settings: Settings, name: SecretName): string | undefined {
  const [value, path] = [settings[name], settings[`${name}_FILE`]];
  if (value !== undefined || path === undefined) return value;
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`${name}_FILE ${path} can't be read: ${(error as Error).message}`);
  }
  if (text === '') throw new SettingsError(`${name}_FILE ${path} is empty`);
  const { error } = settingsSchema.shape[name].safeParse(text);
  if (error) throw new SettingsError(`${name}_FILE ${path}: its content ${error.issues[0]?.message}`);
  return text;
}
