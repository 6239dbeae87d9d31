import { newApiKey, sharedMongo, testSettings } from '@svcforms/test-kit';
import { randomBytes, randomUUID } from 'node:crypto';

/**
 * Settings of a separate service: backends with a new database, and the key of the first account.
 */
export async function serviceSettings(
  natsUrl: string,
  apiKey = newApiKey(),
): Promise<Record<string, string>> {
  return {
    ...testSettings({ apiKey }),
    NATS_URL: natsUrl,
    MONGODB_URL: `${await sharedMongo()}/test_${randomUUID().slice(0, 8)}`,
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
}
