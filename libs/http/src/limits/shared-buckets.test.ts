import { createSharedAccess } from './shared-access.ts';
import { createSharedBuckets } from './shared-buckets.ts';
import type { SharedValues } from './shared-values.ts';

/** The values of one process, with a clock that the test sets. */
function openValues() {
  const clock = { now: Date.parse('2026-01-01T00:00:00Z') };
  const stored = new Map<string, { text: string; revision: string }>();
  const values: SharedValues = {
    read: async (key) => stored.get(key) ?? null,
    async replace(key, text, { revision }) {
      if ((stored.get(key)?.revision ?? null) !== revision) return null;
      const next = String(Number(revision) + 1);
      stored.set(key, { text, revision: next });
      return next;
    },
    now: () => clock.now,
  };
  return { clock, access: createSharedAccess(values, { info() {}, warn() {} }) };
}

describe('a shared bucket', () => {
  it('is full after a minute if its clock was an hour ahead', async () => {
    const { clock, access } = openValues();
    const take = createSharedBuckets(2, { name: 'public', access });
    clock.now += 3_600_000;
    await take('a');
    await take('a');
    clock.now -= 3_600_000;
    expect(await take('a')).toMatchObject({ isAllowed: false, untilFullMs: 60_000 });
    clock.now += 60_000;
    expect(await take('a')).toMatchObject({ isAllowed: true, remaining: 1 });
  });
});
