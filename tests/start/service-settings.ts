import { newApiKey, sharedMongo, testSettings } from '@svcforms/test-kit';
import { randomBytes, randomUUID } from 'node:crypto';

/** What a service that runs by itself is told: engines, with a database of the test's own, and the key of the first account. */
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
