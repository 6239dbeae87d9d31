import type { ConcurrencyLimits, Feedback } from './permit-rules.ts';
import { createPermits, type Permits } from './permits.ts';
import type { Reservation } from './webhook-queues.ts';

const LIMITS: ConcurrencyLimits = { perWebhook: 4, perAccount: 6, global: 8 };

const webhook = (name: string) => ({ webhookId: name, accountId: name.charAt(0) });

/**
 * Reserves and fills up to `n` times and returns how many reservations there were. An item is its
 * webhook's name.
 */
function add(permits: Permits<string>, webhookId: string, n: number, bytes = 10): number {
  for (let added = 0; added < n; added++) {
    const reservation = permits.reserve(webhook(webhookId), 'due', bytes);
    if (!reservation) return added;
    permits.fill(reservation, webhookId, bytes);
  }
  return n;
}

/** Starts everything that has a permit. */
function runAll(permits: Permits<string>): {
  items: string[];
  reservations: Reservation[];
  refills: string[];
} {
  const items: string[] = [];
  const reservations: Reservation[] = [];
  const refills: string[] = [];
  for (let work = permits.next(); work; work = permits.next()) {
    if (work.kind === 'refill') {
      refills.push(work.webhookId);
    } else {
      items.push(work.item);
      reservations.push(work.reservation);
    }
  }
  return { items, reservations, refills };
}

function release(
  permits: Permits<string>,
  reservations: readonly Reservation[],
  feedback: Feedback = 'success',
): void {
  for (const reservation of reservations) permits.release(reservation, feedback);
}

/**
 * Adds deliveries of the webhook; of those that start, the first pauses it until 5 000 and the
 * others succeed.
 */
function pauseAfter(permits: Permits<string>, webhookId: string, n: number): void {
  add(permits, webhookId, n);
  const [first, ...others] = runAll(permits).reservations;
  if (first) permits.release(first, { pauseUntil: 5_000 });
  release(permits, others);
}

describe('permits of a webhook', () => {
  it('are limited, and the next delivery starts when one is released', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 6);
    const first = runAll(permits);
    expect(first.items).toHaveLength(4);
    release(permits, first.reservations.slice(0, 1), 'unused');
    expect(runAll(permits).items).toHaveLength(1);
  });

  it('grow by one with each success while all are in use, up to four times the limit', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(permits, 'a1', 100);
    let inUse = runAll(permits).reservations;
    const counts = [inUse.length];
    for (let n = 0; n < 14; n++) {
      release(permits, inUse.splice(0, 1));
      inUse.push(...runAll(permits).reservations);
      counts.push(inUse.length);
    }
    expect(counts).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16]);
  });

  it('do not grow for a webhook that does not use them all', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(permits, 'a1', 1);
    const hanging = runAll(permits).reservations;
    for (let n = 0; n < 20; n++) {
      add(permits, 'a1', 1);
      release(permits, runAll(permits).reservations);
    }
    expect(hanging).toHaveLength(1);
    add(permits, 'a1', 20);
    expect(runAll(permits).reservations).toHaveLength(3);
  });

  it('halve with each failure, down to one, and grow back with successes', () => {
    const permits = createPermits<string>(LIMITS);
    const startedWith = (feedback: Feedback): number => {
      add(permits, 'a1', 4);
      const { reservations } = runAll(permits);
      const [first, ...others] = reservations;
      if (first) permits.release(first, feedback);
      release(permits, others, 'unused');
      permits.takeAll();
      return reservations.length;
    };
    const counts = (
      ['failure', 'failure', 'failure', 'success', 'success', 'success', 'success'] as const
    ).map(startedWith);
    expect(counts).toEqual([4, 2, 1, 1, 2, 3, 4]);
  });

  it.each([
    [59, 2],
    [61, 4],
  ])('are after %d minutes without deliveries %d, if they were halved before', (minutes, expected) => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 1);
    release(permits, runAll(permits).reservations, 'failure');
    permits.resume(0);
    permits.resume(minutes * 60_000);
    add(permits, 'a1', 4);
    expect(runAll(permits).items).toHaveLength(expected);
  });

  it('stay halved while there are deliveries now and then', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 1);
    release(permits, runAll(permits).reservations, 'failure');
    permits.resume(0);
    permits.resume(40 * 60_000);
    add(permits, 'a1', 1);
    release(permits, runAll(permits).reservations, 'unused');
    permits.resume(80 * 60_000);
    add(permits, 'a1', 4);
    expect(runAll(permits).items).toHaveLength(2);
  });

  it('return to the limit when the webhook is gone', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 1);
    release(permits, runAll(permits).reservations, 'failure');
    add(permits, 'a1', 1);
    release(permits, runAll(permits).reservations, 'webhook_gone');
    add(permits, 'a1', 4);
    expect(runAll(permits).items).toHaveLength(4);
  });

  it('stay unused while the webhook is paused; other webhooks continue', () => {
    const permits = createPermits<string>(LIMITS);
    pauseAfter(permits, 'a1', 5);
    add(permits, 'b1', 1);
    expect(runAll(permits).items).toEqual(['b1']);
    expect(permits.reserve(webhook('a1'), 'due')).toBeNull();
    permits.resume(4_999);
    expect(runAll(permits).items).toEqual([]);
    permits.resume(5_000);
    expect(runAll(permits).items).toEqual(['a1']);
  });

  it('are one after a pause, whatever other attempts said meanwhile', () => {
    const permits = createPermits<string>(LIMITS);
    pauseAfter(permits, 'a1', 10);
    permits.resume(5_000);
    const second = runAll(permits);
    expect(second.items).toEqual(['a1']);
    release(permits, second.reservations);
    expect(runAll(permits).items).toHaveLength(2);
  });
});

describe('a lifted pause', () => {
  it('ends for its webhook only', () => {
    const permits = createPermits<string>(LIMITS);
    for (const name of ['a1', 'b1']) {
      pauseAfter(permits, name, 5);
    }
    const lifted = [webhook('a1').webhookId];
    permits.resume(1_000, lifted);
    expect(runAll(permits).items).toEqual(['a1']);
  });
});

describe('shared permits', () => {
  it('are limited for all webhooks of an account together', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 4);
    add(permits, 'a2', 4);
    const { items, reservations } = runAll(permits);
    // The sixth permit is reserved for a webhook with nothing running.
    expect(items).toHaveLength(5);
    release(permits, reservations.slice(0, 1));
    expect(runAll(permits).items).toEqual(['a2']);
  });

  it.each([
    ['of an account', { perWebhook: 4, perAccount: 16, global: 1_000 }, ['a1', 'a2', 'a3', 'a4', 'a5']],
    ['of the process', { perWebhook: 4, perAccount: 1_000, global: 16 }, ['a1', 'b1', 'c1', 'd1', 'e1']],
  ])(
    'reserve the last quarter %s for webhooks with nothing running while others hang',
    (_, limits, names) => {
      const permits = createPermits<string>(limits);
      for (const name of names) add(permits, name, 100);
      const hanging = runAll(permits).items;
      expect(hanging).toHaveLength(12 + 2);
      const working: string[] = [];
      for (const name of ['x1', 'a9', 'x1', 'a9']) {
        add(permits, name, 1);
        const { items, reservations } = runAll(permits);
        working.push(...items);
        release(permits, reservations);
      }
      expect(working).toEqual(['x1', 'a9', 'x1', 'a9']);
    },
  );

  it('are limited for the process, and accounts take turns', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 3, global: 3 });
    for (const name of ['a1', 'b1', 'c1', 'd1']) add(permits, name, 4);
    const { items, reservations } = runAll(permits);
    expect(items).toEqual(['a1', 'a1', 'a1']);
    const freed: string[] = [];
    for (
      let reservation = reservations.shift();
      reservation && freed.length < 6;
      reservation = reservations.shift()
    ) {
      permits.release(reservation, 'success');
      const next = runAll(permits);
      freed.push(...next.items);
      reservations.push(...next.reservations);
    }
    expect(freed).toEqual(['b1', 'c1', 'd1', 'a1', 'b1', 'c1']);
  });

  it('go to the webhooks of an account in turn', () => {
    const permits = createPermits<string>({ ...LIMITS, perAccount: 1 });
    add(permits, 'a1', 3);
    add(permits, 'a2', 3);
    const order: string[] = [];
    for (
      let { items, reservations } = runAll(permits);
      items.length > 0;
      { items, reservations } = runAll(permits)
    ) {
      order.push(...items);
      release(permits, reservations);
    }
    expect(order).toEqual(['a1', 'a1', 'a2', 'a1', 'a2', 'a2']);
  });

  it('are not used up by a webhook whose attempts hang', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(permits, 'a1', 1_000);
    expect(runAll(permits).items).toHaveLength(4);
    add(permits, 'a2', 3);
    expect(runAll(permits).items).toEqual(['a2', 'a2', 'a2']);
  });
});

describe('a webhook lacks a permit', () => {
  const ALL_IN_USE = { perWebhook: 1, perAccount: 4, global: 1 };

  it('while others use them all', () => {
    const permits = createPermits<string>(ALL_IN_USE);
    add(permits, 'a1', 2);
    add(permits, 'b1', 2);
    const { reservations } = runAll(permits);
    permits.resume(1_000);
    permits.resume(9_000);
    expect(permits.withoutPermit()).toEqual([{ item: 'b1', since: 1_000 }]);
    expect(permits.withoutPermitSince(webhook('b1'))).toBe(1_000);
    release(permits, reservations);
    // Its turn is the next one.
    expect(runAll(permits).items).toEqual(['b1']);
    permits.resume(10_000);
    expect(permits.withoutPermit()).toEqual([{ item: 'a1', since: 10_000 }]);
  });

  it('since its last attempt, however short that was', () => {
    const permits = createPermits<string>(ALL_IN_USE);
    add(permits, 'a1', 2);
    add(permits, 'b1', 2);
    const first = runAll(permits);
    permits.resume(1_000);
    release(permits, first.reservations);
    const second = runAll(permits);
    release(permits, second.reservations);
    expect([first, second, runAll(permits)].map(({ items }) => items)).toEqual([['a1'], ['b1'], ['a1']]);
    permits.resume(2_000);
    expect(permits.withoutPermit()).toEqual([{ item: 'b1', since: 2_000 }]);
  });

  it('not while something of it is running: webhooks of an account that share its permits', () => {
    const permits = createPermits<string>(LIMITS);
    // Five of the six permits are shared, and a webhook may use four.
    for (const [name, deliveries] of [
      ['a1', 3],
      ['a2', 3],
      ['a1', 1],
    ] as const)
      add(permits, name, deliveries);
    expect(runAll(permits).items.toSorted()).toEqual(['a1', 'a1', 'a1', 'a2', 'a2']);
    permits.resume(1_000);
    expect(permits.withoutPermit()).toEqual([]);
    for (const name of ['a1', 'a2']) expect(permits.withoutPermitSince(webhook(name))).toBeUndefined();
    expect(permits.takeAll()).toEqual(['a1', 'a2']);
  });

  it('not while it uses its own ones, is paused or rests for its rate limit', () => {
    const permits = createPermits<string>(ALL_IN_USE);
    pauseAfter(permits, 'a1', 2);
    add(permits, 'b1', 2);
    for (let work = permits.next(); work; work = permits.next()) {
      if (work.kind === 'run') permits.postpone(work.reservation, work.item, { until: 5_000, perSecond: 1 });
    }
    add(permits, 'c1', 2);
    expect(runAll(permits).items).toEqual(['c1']);
    permits.resume(4_000);
    for (const name of ['a1', 'b1', 'c1']) expect(permits.withoutPermitSince(webhook(name))).toBeUndefined();
    expect(permits.withoutPermit()).toEqual([]);
    permits.wake(5_000);
    permits.resume(5_000);
    expect(permits.withoutPermit()).toEqual(['a1', 'b1'].map((item) => ({ item, since: 5_000 })));
  });
});

describe('deliveries that wait for a rate limit', () => {
  it('start in their order once the webhook may go on, before those that came later', () => {
    const permits = createPermits<string>(LIMITS);
    const addItem = (item: string) => {
      const reservation = permits.reserve(webhook('a1'), 'due', 10);
      if (reservation) permits.fill(reservation, item, 10);
    };
    for (const item of ['first', 'second', 'third']) addItem(item);
    for (let work = permits.next(); work; work = permits.next()) {
      if (work.kind === 'run') permits.postpone(work.reservation, work.item, { until: 5_000, perSecond: 1 });
    }
    addItem('later');
    permits.wake(5_000);
    expect(runAll(permits).items).toEqual(['first', 'second', 'third', 'later']);
  });
});

describe('prefetching', () => {
  it('is limited per webhook; further deliveries stay in the store', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    expect(add(permits, 'a1', 1_000)).toBe(4 + 4 * 16);
  });

  it('is limited per account, so that other accounts find room', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 8, global: 32 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(permits, name, 1_000);
    runAll(permits);
    expect(add(permits, 'b1', 20)).toBe(20);
  });

  it('is limited in bytes; permits are not', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    const large = 32 * 1024 * 1024;
    expect(add(permits, 'a1', 100, large)).toBe(4);
    expect(add(permits, 'b1', 100, large)).toBe(4);
  });

  it('shrinks with each failure, down to sixteen, and returns the newest deliveries above the limit', () => {
    const permits = createPermits<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    for (let n = 0; n < 68; n++) {
      const reservation = permits.reserve(webhook('a1'), 'due');
      if (reservation) permits.fill(reservation, `a1-${n}`, 1);
    }
    const { reservations } = runAll(permits);
    expect(permits.takeExcess()).toEqual([]);
    release(permits, reservations.slice(0, 1), 'failure');
    expect(permits.takeExcess()).toEqual(Array.from({ length: 64 - 32 }, (_, n) => `a1-${n + 36}`));
    release(permits, reservations.slice(1), 'failure');
    expect(permits.takeExcess()).toEqual(Array.from({ length: 32 - 16 }, (_, n) => `a1-${n + 20}`));
  });

  it('grows with each success, up to four times the limit', () => {
    const permits = createPermits<string>({ perWebhook: 1, perAccount: 64, global: 1_000 });
    let inUse: Reservation[] = [];
    for (let n = 0; n < 100; n++) {
      add(permits, 'a1', 100);
      release(permits, inUse.splice(0, 1));
      inUse = [...inUse, ...runAll(permits).reservations];
    }
    add(permits, 'a1', 100);
    expect(permits.takeAll()).toHaveLength(64);
  });

  it('returns everything that has not started, with a permit or without', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 6);
    expect(permits.takeAll()).toHaveLength(6);
    expect(permits.next()).toBeUndefined();
    add(permits, 'a1', 4);
    expect(runAll(permits).items).toHaveLength(4);
  });
});

describe('the backlog in the store', () => {
  it('is loaded when there is room, one load at a time, and again when there may be more', () => {
    const permits = createPermits<string>(LIMITS);
    permits.markBacklog(webhook('a1'));
    expect(runAll(permits).refills).toEqual(['a1']);
    permits.refilled(webhook('a1'), true);
    expect(runAll(permits).refills).toEqual(['a1']);
    permits.refilled(webhook('a1'), false);
    expect(runAll(permits).refills).toEqual([]);
  });

  it('is loaded again when it grew during a load', () => {
    const permits = createPermits<string>(LIMITS);
    permits.markBacklog(webhook('a1'));
    runAll(permits);
    permits.markBacklog(webhook('a1'));
    permits.refilled(webhook('a1'), false);
    expect(runAll(permits).refills).toEqual(['a1']);
  });

  it('is not overtaken by newer deliveries', () => {
    const permits = createPermits<string>(LIMITS);
    permits.markBacklog(webhook('a1'));
    expect(permits.reserve(webhook('a1'), 'due')).toBeNull();
    runAll(permits);
    expect(permits.reserve(webhook('a1'), 'due')).toBeNull();
    expect(permits.reserve(webhook('a1'), 'backlog')).not.toBeNull();
    permits.refilled(webhook('a1'), false);
    expect(permits.reserve(webhook('a1'), 'due')).not.toBeNull();
  });

  it('is not loaded while enough is prefetched, and is when half of that has started', () => {
    const permits = createPermits<string>({ perWebhook: 1, perAccount: 64, global: 64 });
    add(permits, 'a1', 1 + 16);
    permits.markBacklog(webhook('a1'));
    const refills: string[] = [];
    let ran = 0;
    while (refills.length === 0) {
      const { reservations, items, refills: requested } = runAll(permits);
      ran += items.length;
      refills.push(...requested);
      release(permits, reservations, 'unused');
    }
    expect(ran).toBe(1 + 8);
  });

  it('is not loaded when another webhook has used the memory since it could be', () => {
    const permits = createPermits<string>({ perWebhook: 1, perAccount: 8, global: 8 });
    add(permits, 'b1', 1);
    const { reservations } = runAll(permits);
    permits.markBacklog(webhook('b1'));
    const large = permits.reserve(webhook('c1'), 'due', 64 * 1024 * 1024);
    expect(runAll(permits)).toEqual({ items: [], reservations: [], refills: [] });
    if (large) permits.release(large, 'unused');
    release(permits, reservations);
    expect(runAll(permits).refills).toEqual(['b1']);
  });

  it('of an account at its limit is loaded when the account has a permit again', () => {
    const permits = createPermits<string>(LIMITS);
    add(permits, 'a1', 4);
    add(permits, 'a2', 2);
    add(permits, 'a4', 1);
    const { reservations } = runAll(permits);
    permits.markBacklog(webhook('a3'));
    expect(runAll(permits).refills).toEqual([]);
    release(permits, reservations.slice(0, 1));
    expect(runAll(permits).refills).toEqual(['a3']);
  });
});

describe('an unused reservation', () => {
  it('is available to others after its release', () => {
    const permits = createPermits<string>({ perWebhook: 1, perAccount: 1, global: 1 });
    const reservation = permits.reserve(webhook('a1'), 'due');
    if (reservation) permits.release(reservation, 'unused');
    add(permits, 'b1', 1);
    expect(runAll(permits).items).toEqual(['b1']);
  });
});
