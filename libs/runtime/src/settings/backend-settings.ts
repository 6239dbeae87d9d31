import { SettingsError, type Settings } from './settings.ts';
import { readEncryptionKeys } from './encryption-keys.ts';

/** What a service requires beside the store. */
interface RequiredBackends {
  bus: boolean;
  encryptionKeys: boolean;
}

const EVERYTHING: RequiredBackends = { bus: true, encryptionKeys: true };

/**
 * Returns the settings that a service outside the standalone requires: the URLs of its backends,
 * and the encryption keys. What the service doesn't require is empty, whether or not it is set: a
 * process has only the secrets that it needs.
 * @throws SettingsError that names the first missing setting
 */
export function requireBackends(
  settings: Settings,
  required: RequiredBackends = EVERYTHING,
): {
  natsUrl: string;
  mongoUrl: string;
  encryptionKeys: string[];
} {
  const { NATS_URL: natsUrl, MONGODB_URL: mongoUrl } = settings;
  if (required.bus && !natsUrl)
    throw new SettingsError('NATS_URL is required: only the standalone has an embedded event bus');
  if (!mongoUrl)
    throw new SettingsError('MONGODB_URL is required: only the standalone has an embedded document store');
  const encryptionKeys = required.encryptionKeys ? readEncryptionKeys(settings) : [];
  if (!encryptionKeys)
    throw new SettingsError('SVC_ENCRYPTION_KEY or SVC_ENCRYPTION_KEY_FILE is required: 32 bytes in base64');
  return { natsUrl: required.bus ? (natsUrl ?? '') : '', mongoUrl, encryptionKeys };
}
