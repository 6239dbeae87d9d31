import { SettingsError, type Settings } from './settings.ts';
import { readEncryptionKeys } from './encryption-keys.ts';

/**
 * Returns the settings that every service outside the standalone requires: the URLs of its backends, and the encryption keys.
 * @throws SettingsError that names the first missing setting
 */
export function requireBackends(settings: Settings): {
  natsUrl: string;
  mongoUrl: string;
  encryptionKeys: string[];
} {
  const { NATS_URL: natsUrl, MONGODB_URL: mongoUrl } = settings;
  if (!natsUrl)
    throw new SettingsError('NATS_URL is required: only the standalone has an embedded event bus');
  if (!mongoUrl)
    throw new SettingsError('MONGODB_URL is required: only the standalone has an embedded document store');
  const encryptionKeys = readEncryptionKeys(settings);
  if (!encryptionKeys)
    throw new SettingsError('SVC_ENCRYPTION_KEY or SVC_ENCRYPTION_KEY_FILE is required: 32 bytes in base64');
  return { natsUrl, mongoUrl, encryptionKeys };
}
