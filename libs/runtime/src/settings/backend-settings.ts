import { SettingsError, type Settings } from './settings.ts';
import { readEncryptionKeys } from './encryption-keys.ts';

/**
 * What a service that runs by itself can't do without: the addresses of its engines, and the keys that secrets are sealed
 * with.
 * @throws SettingsError naming the first that is missing.
 */
export function requireBackends(settings: Settings): {
  natsUrl: string;
  mongoUrl: string;
  encryptionKeys: string[];
} {
  const { NATS_URL: natsUrl, MONGODB_URL: mongoUrl } = settings;
  if (!natsUrl)
    throw new SettingsError('NATS_URL is needed: only the standalone has an event bus of its own');
  if (!mongoUrl) throw new SettingsError('MONGODB_URL is needed: only the standalone has a store of its own');
  const encryptionKeys = readEncryptionKeys(settings);
  if (!encryptionKeys)
    throw new SettingsError('SVC_ENCRYPTION_KEY or SVC_ENCRYPTION_KEY_FILE is needed: 32 bytes in base64');
  return { natsUrl, mongoUrl, encryptionKeys };
}
