import { openTestDatabase, openTestStore } from '@svcforms/document-store/testing';
import { createLoginLimits, delayAfter } from './login-limits.ts';
import { LOGIN_FAILURES } from './records/login-failures.ts';

const MINUTE = 60_000;
const EMAIL = 'ada@example.com';
const HERE = '203.0.113.7';

/** Login attempts as several processes on one store count them. */
function openStage() {
  const clock = { now: Date.parse('2026-03-14T09:26:53.589Z') };
  const database = openTestDatabase();
  const processes = [1, 2].map(() =>
    createLoginLimits({ store: openTestStore(database), now: () => clock.now }),
  );
  let turn = 0;
  const take = (email = EMAIL, network = HERE) => {
    const process = processes[turn++ % processes.length];
    if (!process) throw new Error('there is no process');
    return process({ email, network });
  };
  /** Seconds to wait, 0 where the attempt was let through. */
  const waitOf = async (email?: string, network?: string) => {
    try {
      await take(email, network);
      return 0;
    } catch (error) {
      const { details } = error as { details: { headers: Record<string, string> } };
      return Number(details.headers['Retry-After']);
    }
  };
  const many = async (count: number, email?: string, network?: string) => {
    for (let n = 0; n < count; n++) expect(await waitOf(email, network)).toBe(0);
  };
  return { clock, take, waitOf, many, store: openTestStore(database) };
}

describe('the delays between attempts', () => {
  it('double from a minute to a quarter of an hour', () => {
    const minutes = [4, 5, 6, 7, 8, 9, 10, 100].map((count) => delayAfter(count, { free: 5 }) / MINUTE);
    expect(minutes).toEqual([0, 1, 2, 4, 8, 15, 15, 15]);
  });
});

describe('login attempts for one user', () => {
  it("from one network are limited to five, then one per delay, which rejected attempts don't extend", async () => {
    const { clock, waitOf, many } = openStage();
    await many(5);
    for (const minutes of [1, 2, 4, 8, 15, 15]) {
      expect(await waitOf()).toBe(minutes * 60);
      clock.now += minutes * MINUTE - 1;
      expect(await waitOf()).toBe(1);
      clock.now += 1;
      expect(await waitOf()).toBe(0);
    }
  });

  it("can't exceed the limit concurrently, on any number of processes", async () => {
    const { waitOf } = openStage();
    const waits = await Promise.all(Array.from({ length: 40 }, () => waitOf()));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  });

  it('from many networks are limited to ten', async () => {
    const { waitOf } = openStage();
    const waits = await Promise.all(Array.from({ length: 40 }, (_, n) => waitOf(EMAIL, `198.51.100.${n}`)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  it('are reset by a login, and after a day without attempts', async () => {
    const { clock, take, waitOf, many } = openStage();
    await many(4);
    await (await take()).succeed();
    await many(5);
    expect(await waitOf()).toBe(60);
    clock.now += 24 * 60 * MINUTE;
    await many(5);
  });

  it("don't lock the user out on a known network", async () => {
    const { take, waitOf, many } = openStage();
    await (await take()).succeed();
    for (let n = 0; n < 10; n++) await many(1, EMAIL, `198.51.100.${n}`);
    expect(await waitOf(EMAIL, '198.51.100.200')).toBeGreaterThan(0);
    expect(await waitOf(EMAIL, HERE)).toBe(0);
  });
});

describe('attempts from one network', () => {
  const asMany = (count: number, waitOf: (email: string) => Promise<number>) =>
    Promise.all(Array.from({ length: count }, (_, n) => waitOf(`${n}@example.com`)));

  it('for many users are limited to twenty, without affecting other networks', async () => {
    const { waitOf } = openStage();
    const waits = await asMany(60, waitOf);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(20);
    expect(await waitOf('new@example.com', '198.51.100.1')).toBe(0);
  });

  it('do not count if they succeed', async () => {
    const { take, waitOf } = openStage();
    for (let n = 0; n < 30; n++) await (await take(`${n}@example.com`)).succeed();
    expect(await waitOf('new@example.com')).toBe(0);
  });

  it('that are rejected for their account do not count for the network', async () => {
    const { waitOf } = openStage();
    await Promise.all(Array.from({ length: 60 }, () => waitOf()));
    for (let n = 0; n < 60; n++) await waitOf();
    const waits = await asMany(15, waitOf);
    expect(waits).toEqual(Array.from({ length: 15 }, () => 0));
  });

  it('do not lock out a user who knows the network', async () => {
    const { take, waitOf } = openStage();
    await (await take()).succeed();
    await asMany(60, waitOf);
    expect(await waitOf('new@example.com')).toBeGreaterThan(0);
    expect(await waitOf()).toBe(0);
  });
});

describe('the stored counters', () => {
  it('contain neither addresses nor emails', async () => {
    const { take, many, store } = openStage();
    await many(3);
    await (await take()).succeed();
    await many(1);
    const stored = JSON.stringify(await store.collection(LOGIN_FAILURES).find({}));
    expect(stored).toContain('expireAt');
    expect(stored).not.toMatch(/ada|example|203/);
  });
});
