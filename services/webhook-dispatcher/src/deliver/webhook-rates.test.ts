import { createSharedAccess } from '@svcforms/http';
import { createWebhookRates } from './webhook-rates.ts';

describe('the rate of a webhook', () => {
  it('makes it wait for a minute at most if the shared clock was an hour ahead', async () => {
    const now = Date.parse('2026-01-01T00:00:00Z');
    const clock = { now: now + 3_600_000 };
    let revision: string | null = null;
    const values = {
      read: async () => null,
      replace: async () => (revision = String(Number(revision) + 1)),
      now: () => clock.now,
    };
    const shared = createSharedAccess(values, { info() {}, warn() {} });
    const rates = createWebhookRates({ shared, now: () => now });
    const options = { perSecond: 1, waiting: 1 };
    expect(await rates.take('whk_1', options)).toBe(0);
    clock.now = now;
    expect(await rates.take('whk_1', options)).toBeLessThanOrEqual(60_000);
  });
});
