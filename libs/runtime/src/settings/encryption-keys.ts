import { readSettings, SettingsError, type Settings } from './settings.ts';
import { readFileSync } from 'node:fs';

/**
 * Reads the keys that seal secrets, newest first, from the environment or the file that it names;
 * `undefined` if it sets neither.
 * @throws SettingsError when the file can't be read or has other content
 */
export function readEncryptionKeys(settings: Settings): string[] | undefined {
  if (settings.SVC_ENCRYPTION_KEY) return settings.SVC_ENCRYPTION_KEY;
  const path = settings.SVC_ENCRYPTION_KEY_FILE;
  if (!path) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`SVC_ENCRYPTION_KEY_FILE ${path} can't be read: ${(error as Error).message}`);
  }
  try {
    const keys = readSettings({ SVC_ENCRYPTION_KEY: text }).SVC_ENCRYPTION_KEY;
    if (keys) return keys;
  } catch {
    // Reported below.
  }
  throw new SettingsError(
    `SVC_ENCRYPTION_KEY_FILE ${path} must contain 32 bytes in base64 (44 characters); to rotate, a comma-separated list, newest first`,
  );
}
