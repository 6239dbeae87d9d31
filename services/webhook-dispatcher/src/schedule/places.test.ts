import { createPlaces, type PlaceLimits, type Places, type Release, type Slot } from './places.ts';

const LIMITS: PlaceLimits = { perWebhook: 4, perAccount: 6, global: 8 };

const owner = (name: string) => ({ webhookId: name, accountId: name.charAt(0) });

/** Reserves and fills, `n` times; how many slots there were. Items are named by their webhook. */
function add(places: Places<string>, webhookId: string, n: number, bytes = 10): number {
  for (let added = 0; added < n; added++) {
    const slot = places.reserve(owner(webhookId), 'due', bytes);
    if (!slot) return added;
    places.fill(slot, webhookId, bytes);
  }
  return n;
}

/** Starts whatever may start. */
function runAll(places: Places<string>): { items: string[]; slots: Slot[]; refills: string[] } {
  const items: string[] = [];
  const slots: Slot[] = [];
  const refills: string[] = [];
  for (let work = places.next(); work; work = places.next()) {
    if (work.kind === 'refill') {
      refills.push(work.webhookId);
    } else {
      items.push(work.item);
      slots.push(work.slot);
    }
  }
  return { items, slots, refills };
}

function leave(places: Places<string>, slots: readonly Slot[], release: Release = 'success'): void {
  for (const slot of slots) places.release(slot, release);
}

describe('the places of a webhook', () => {
  it('are as many as its limit, and its next delivery starts when one is free.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 6);
    const first = runAll(places);
    expect(first.items).toHaveLength(4);
    leave(places, first.slots.slice(0, 1), 'unused');
    expect(runAll(places).items).toHaveLength(1);
  });

  it('grow by one with each success while all are taken, up to four times as many.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(places, 'a1', 100);
    let inUse = runAll(places).slots;
    const counts = [inUse.length];
    for (let n = 0; n < 14; n++) {
      leave(places, inUse.splice(0, 1));
      inUse.push(...runAll(places).slots);
      counts.push(inUse.length);
    }
    expect(counts).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 16, 16]);
  });

  it('do not grow for a webhook that does not need them.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(places, 'a1', 1);
    const hanging = runAll(places).slots;
    for (let n = 0; n < 20; n++) {
      add(places, 'a1', 1);
      leave(places, runAll(places).slots);
    }
    expect(hanging).toHaveLength(1);
    add(places, 'a1', 20);
    expect(runAll(places).slots).toHaveLength(3);
  });

  it('are halved by each failure, down to one, and come back one by one with successes.', () => {
    const places = createPlaces<string>(LIMITS);
    const startedWith = (release: Release): number => {
      add(places, 'a1', 4);
      const { slots } = runAll(places);
      const [first, ...others] = slots;
      if (first) places.release(first, release);
      leave(places, others, 'unused');
      places.takeAll();
      return slots.length;
    };
    const counts = (
      ['failure', 'failure', 'failure', 'success', 'success', 'success', 'success'] as const
    ).map(startedWith);
    expect(counts).toEqual([4, 2, 1, 1, 2, 3, 4]);
  });

  it('are all there again for a webhook that is gone.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 1);
    leave(places, runAll(places).slots, 'failure');
    add(places, 'a1', 1);
    leave(places, runAll(places).slots, 'webhook_gone');
    add(places, 'a1', 4);
    expect(runAll(places).items).toHaveLength(4);
  });

  it('stay empty while its endpoint has asked for a pause, and neighbours go on.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 5);
    const [first, ...others] = runAll(places).slots;
    if (first) places.release(first, { pauseUntil: 5_000 });
    leave(places, others);
    add(places, 'b1', 1);
    expect(runAll(places).items).toEqual(['b1']);
    expect(places.reserve(owner('a1'), 'due')).toBeNull();
    places.resume(4_999);
    expect(runAll(places).items).toEqual([]);
    places.resume(5_000);
    expect(runAll(places).items).toEqual(['a1']);
  });
});

describe('a pause that was lifted', () => {
  it('is over, and that of a neighbour is not.', () => {
    const places = createPlaces<string>(LIMITS);
    for (const name of ['a1', 'b1']) {
      add(places, name, 5);
      const [first, ...others] = runAll(places).slots;
      if (first) places.release(first, { pauseUntil: 5_000 });
      leave(places, others);
    }
    const lifted = [owner('a1').webhookId];
    places.resume(1_000, lifted);
    expect(runAll(places).items).toEqual(['a1']);
  });
});

describe('places that are shared', () => {
  it('are limited for an account, over all of its webhooks.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 4);
    add(places, 'a2', 4);
    const { items, slots } = runAll(places);
    // The sixth is for a webhook that has none.
    expect(items).toHaveLength(5);
    leave(places, slots.slice(0, 1));
    expect(runAll(places).items).toEqual(['a2']);
  });

  it.each([
    ['of an account', { perWebhook: 4, perAccount: 16, global: 1_000 }, ['a1', 'a2', 'a3', 'a4', 'a5']],
    ['of all', { perWebhook: 4, perAccount: 1_000, global: 16 }, ['a1', 'b1', 'c1', 'd1', 'e1']],
  ])('leave the last quarter %s to webhooks that have none, while others hang.', (_, limits, names) => {
    const places = createPlaces<string>(limits);
    for (const name of names) add(places, name, 100);
    const hanging = runAll(places).items;
    expect(hanging).toHaveLength(12 + 2);
    const working: string[] = [];
    for (const name of ['x1', 'a9', 'x1', 'a9']) {
      add(places, name, 1);
      const { items, slots } = runAll(places);
      working.push(...items);
      leave(places, slots);
    }
    expect(working).toEqual(['x1', 'a9', 'x1', 'a9']);
  });

  it('are limited in all, and what is free goes round between accounts.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 3, global: 3 });
    for (const name of ['a1', 'b1', 'c1', 'd1']) add(places, name, 4);
    const { items, slots } = runAll(places);
    expect(items).toEqual(['a1', 'a1', 'a1']);
    const freed: string[] = [];
    for (let slot = slots.shift(); slot && freed.length < 6; slot = slots.shift()) {
      places.release(slot, 'success');
      const next = runAll(places);
      freed.push(...next.items);
      slots.push(...next.slots);
    }
    expect(freed).toEqual(['b1', 'c1', 'd1', 'a1', 'b1', 'c1']);
  });

  it('go round between the webhooks of an account.', () => {
    const places = createPlaces<string>({ ...LIMITS, perAccount: 1 });
    add(places, 'a1', 3);
    add(places, 'a2', 3);
    const order: string[] = [];
    for (let { items, slots } = runAll(places); items.length > 0; { items, slots } = runAll(places)) {
      order.push(...items);
      leave(places, slots);
    }
    expect(order).toEqual(['a1', 'a1', 'a2', 'a1', 'a2', 'a2']);
  });

  it('are not taken by a webhook whose attempts hang.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 64 });
    add(places, 'a1', 1_000);
    expect(runAll(places).items).toHaveLength(4);
    add(places, 'a2', 3);
    expect(runAll(places).items).toEqual(['a2', 'a2', 'a2']);
  });
});

describe('what is held ahead of a place', () => {
  it('is limited for a webhook; beyond, deliveries wait in the store.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    expect(add(places, 'a1', 1_000)).toBe(4 + 4 * 16);
  });

  it('is limited for an account, so that others find room.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 8, global: 32 });
    for (const name of ['a1', 'a2', 'a3', 'a4']) add(places, name, 1_000);
    runAll(places);
    expect(add(places, 'b1', 20)).toBe(20);
  });

  it('is limited in bytes; a place is given nevertheless.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    const large = 32 * 1024 * 1024;
    expect(add(places, 'a1', 100, large)).toBe(4);
    expect(add(places, 'b1', 100, large)).toBe(4);
  });

  it('shrinks with each failure, to sixteen at least: the excess is handed back, the newest first.', () => {
    const places = createPlaces<string>({ perWebhook: 4, perAccount: 64, global: 1_000 });
    for (let n = 0; n < 68; n++) {
      const slot = places.reserve(owner('a1'), 'due');
      if (slot) places.fill(slot, `a1-${n}`, 1);
    }
    const { slots } = runAll(places);
    expect(places.takeExcess()).toEqual([]);
    leave(places, slots.slice(0, 1), 'failure');
    expect(places.takeExcess()).toEqual(Array.from({ length: 64 - 32 }, (_, n) => `a1-${n + 36}`));
    leave(places, slots.slice(1), 'failure');
    expect(places.takeExcess()).toEqual(Array.from({ length: 32 - 16 }, (_, n) => `a1-${n + 20}`));
  });

  it('grows with each success, to four times as much at most.', () => {
    const places = createPlaces<string>({ perWebhook: 1, perAccount: 64, global: 1_000 });
    let inUse: Slot[] = [];
    for (let n = 0; n < 100; n++) {
      add(places, 'a1', 100);
      leave(places, inUse.splice(0, 1));
      inUse = [...inUse, ...runAll(places).slots];
    }
    add(places, 'a1', 100);
    expect(places.takeAll()).toHaveLength(64);
  });

  it('is handed back as a whole, with what has a place and was not started.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 6);
    expect(places.takeAll()).toHaveLength(6);
    expect(places.next()).toBeUndefined();
    add(places, 'a1', 4);
    expect(runAll(places).items).toHaveLength(4);
  });
});

describe('deliveries that wait in the store', () => {
  it('are asked for when there is room, once at a time, and again when there may be more.', () => {
    const places = createPlaces<string>(LIMITS);
    places.markWaiting(owner('a1'));
    expect(runAll(places).refills).toEqual(['a1']);
    places.refilled(owner('a1'), true);
    expect(runAll(places).refills).toEqual(['a1']);
    places.refilled(owner('a1'), false);
    expect(runAll(places).refills).toEqual([]);
  });

  it('are asked for again when some came while others were being fetched.', () => {
    const places = createPlaces<string>(LIMITS);
    places.markWaiting(owner('a1'));
    runAll(places);
    places.markWaiting(owner('a1'));
    places.refilled(owner('a1'), false);
    expect(runAll(places).refills).toEqual(['a1']);
  });

  it('are not overtaken by what comes later.', () => {
    const places = createPlaces<string>(LIMITS);
    places.markWaiting(owner('a1'));
    expect(places.reserve(owner('a1'), 'due')).toBeNull();
    runAll(places);
    expect(places.reserve(owner('a1'), 'due')).toBeNull();
    expect(places.reserve(owner('a1'), 'waiting')).not.toBeNull();
    places.refilled(owner('a1'), false);
    expect(places.reserve(owner('a1'), 'due')).not.toBeNull();
  });

  it('are not asked for while enough is held ahead, and are once it has halved.', () => {
    const places = createPlaces<string>({ perWebhook: 1, perAccount: 64, global: 64 });
    add(places, 'a1', 1 + 16);
    places.markWaiting(owner('a1'));
    const refills: string[] = [];
    let ran = 0;
    while (refills.length === 0) {
      const { slots, items, refills: asked } = runAll(places);
      ran += items.length;
      refills.push(...asked);
      leave(places, slots, 'unused');
    }
    expect(ran).toBe(1 + 8);
  });

  it('of a full account are asked for when the account has a place again.', () => {
    const places = createPlaces<string>(LIMITS);
    add(places, 'a1', 4);
    add(places, 'a2', 2);
    add(places, 'a4', 1);
    const { slots } = runAll(places);
    places.markWaiting(owner('a3'));
    expect(runAll(places).refills).toEqual([]);
    leave(places, slots.slice(0, 1));
    expect(runAll(places).refills).toEqual(['a3']);
  });
});

describe('a slot that is not needed', () => {
  it('is free for others when it is given back.', () => {
    const places = createPlaces<string>({ perWebhook: 1, perAccount: 1, global: 1 });
    const slot = places.reserve(owner('a1'), 'due');
    if (slot) places.release(slot, 'unused');
    add(places, 'b1', 1);
    expect(runAll(places).items).toEqual(['b1']);
  });
});
