import type { Collection } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { deliveryRecord, webhookRecord } from '../testing/records.ts';
import { createFirstWrites } from '../deliver/first-writes.ts';
import { createHoldings, type Holding } from './holdings.ts';
import { createPlaces, type PlaceLimits } from './places.ts';

const ROOMY: PlaceLimits = { perWebhook: 16, perAccount: 128, global: 512 };
/** One in a place, 16 ahead. */
const ONE_PLACE: PlaceLimits = { perWebhook: 1, perAccount: 128, global: 512 };
const DELIVERY_TIMEOUT_MS = 10_000;
const LEASE_MS = 15_000;

describe('what a process holds', () => {
  const store = openTestStore();
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });
  let time = Date.parse('2026-11-21T10:00:00.000Z');
  const iso = (ms: number) => new Date(ms).toISOString();

  beforeAll(() => store.ensureIndexes());
  afterEach(async () => void (await deliveries.deleteMany({})));

  function startProcess(owner: string, limits = ROOMY, maxHeld = 12_000) {
    const places = createPlaces<Holding>(limits);
    const holdings = createHoldings({
      deliveries,
      firstWrites: createFirstWrites({ deliveries, retry: (work) => work() }),
      places,
      owner,
      deliveryTimeoutMs: DELIVERY_TIMEOUT_MS,
      maxHeld,
      now: () => time,
    });
    /** Ids of what may be started now; their places stay taken. */
    const started = (): string[] => {
      const ids: string[] = [];
      for (let work = places.next(); work; work = places.next()) {
        if (work.kind === 'run' && holdings.isStillHeld(work.item)) ids.push(work.item.delivery._id);
      }
      return ids;
    };
    return { holdings, places, started };
  }

  const fresh = (n: number) =>
    Array.from({ length: n }, () => deliveryRecord(webhook, { createdAt: iso(time) }));
  const inStore = (_id: string | undefined) => deliveries.findOne({ _id: _id ?? '' });
  const scheduled = () => deliveries.find({ dueAt: { $exists: true, $lte: iso(time) } });
  const waiting = () => deliveries.find({ waiting: { $exists: true } }, { sort: ['waiting'] });

  it('is leased from the moment it is stored, and the rest waits under its webhook and time.', async () => {
    const { holdings, started } = startProcess('p1', ONE_PLACE);
    const batch = fresh(20);
    await holdings.insert(batch);
    expect(started()).toEqual([batch[0]?._id]);
    expect(await inStore(batch[16]?._id)).toMatchObject({
      status: 'delivering',
      owner: 'p1',
      dueAt: iso(time + LEASE_MS),
    });
    expect(await inStore(batch[17]?._id)).toMatchObject({
      status: 'pending',
      waiting: `${webhook._id}|${iso(time)}`,
    });
    expect(await waiting()).toHaveLength(3);
  });

  it('may be run before it is stored, where it is new, and what gets no slot waits.', async () => {
    const { holdings, started } = startProcess('p1', ONE_PLACE);
    const batch = fresh(20);
    const stored = holdings.begin(batch);
    expect(started()).toEqual([batch[0]?._id]);
    expect(await inStore(batch[0]?._id)).toBeNull();
    await stored;
    for (const { _id } of batch.slice(0, 17)) {
      expect(await inStore(_id)).toMatchObject({
        status: 'delivering',
        owner: 'p1',
        dueAt: iso(time + LEASE_MS),
      });
    }
    expect((await waiting()).map(({ _id }) => _id)).toEqual(batch.slice(17).map(({ _id }) => _id));
  });

  it('is not overtaken by a newer one while it is about to wait.', async () => {
    const { holdings, places, started } = startProcess('p1', ONE_PLACE);
    const stored = holdings.begin(fresh(20));
    started();
    places.takeAll();
    expect(holdings.reserve(deliveryRecord(webhook), 'due')).toBeNull();
    await stored;
  });

  it('is due at once for anyone when the process stops before it was stored.', async () => {
    const { holdings, started } = startProcess('p1', ONE_PLACE);
    const batch = fresh(3);
    const stored = holdings.begin(batch);
    const [running] = started();
    await holdings.returnAll();
    const free = (await scheduled()).map(({ _id }) => _id);
    expect(free.toSorted()).toEqual(
      batch
        .map(({ _id }) => _id)
        .filter((id) => id !== running)
        .toSorted(),
    );
    await stored;
  });

  it('does not keep a slot for a delivery that was there already.', async () => {
    const { holdings } = startProcess('p1', ONE_PLACE);
    const [first, second] = fresh(2) as [DeliveryRecord, DeliveryRecord];
    for (let n = 0; n < 100; n++) await holdings.insert([first]);
    await holdings.insert([second]);
    expect(await inStore(second._id)).toMatchObject({ status: 'delivering', owner: 'p1' });
  });

  it('is no one else’s while its lease is renewed, and anyone’s when it is not.', async () => {
    const alive = startProcess('alive');
    const other = startProcess('other');
    const batch = fresh(3);
    await alive.holdings.insert(batch);
    for (let n = 0; n < 9; n++) {
      time += LEASE_MS / 3;
      await alive.holdings.renew();
      await other.holdings.takeDue(await scheduled());
      expect(other.started()).toEqual([]);
    }
    time += LEASE_MS;
    await other.holdings.takeDue(await scheduled());
    expect(other.started().toSorted()).toEqual(batch.map(({ _id }) => _id).toSorted());
    expect(alive.started()).toEqual([]);
  });

  it('is not started after another process has taken it over, even if the lease seemed to be renewed.', async () => {
    const slow = startProcess('slow');
    const other = startProcess('other');
    await slow.holdings.insert(fresh(2));
    time += LEASE_MS;
    await other.holdings.takeDue((await scheduled()).slice(0, 1));
    await slow.holdings.renew();
    expect([...slow.started(), ...other.started()]).toHaveLength(2);
    expect(new Set((await deliveries.find({})).map(({ owner }) => owner))).toEqual(
      new Set(['slow', 'other']),
    );
  });

  it('is what this process won, where several want the same.', async () => {
    const processes = ['p1', 'p2', 'p3'].map((name) => startProcess(name));
    await deliveries.insertMany(fresh(30).map((delivery) => ({ ...delivery, dueAt: iso(time) })));
    const seen = await scheduled();
    await Promise.all(processes.map(({ holdings }, n) => holdings.takeDue(seen.slice(n * 5, n * 5 + 15))));
    const started = processes.flatMap((process) => process.started());
    expect(started).toHaveLength(25);
    expect(new Set(started).size).toBe(25);
  });

  it('never includes what has become due without a place: that waits, in the order in which it became due.', async () => {
    const { holdings } = startProcess('p1', ONE_PLACE);
    const due = fresh(20).map((delivery, n) => ({ ...delivery, dueAt: iso(time - 1000 + n) }));
    await deliveries.insertMany(due);
    await holdings.takeDue(due);
    expect((await waiting()).map(({ _id }) => _id)).toEqual(due.slice(17).map(({ _id }) => _id));
    expect(await scheduled()).toEqual([]);
  });

  it('goes back to waiting, to its old place in the order, when its webhook has become slow.', async () => {
    const { holdings, places, started } = startProcess('p1', { ...ROOMY, perWebhook: 2 });
    const batch: DeliveryRecord[] = [];
    for (let n = 0; n < 34; n++) {
      time += 1;
      batch.push(...fresh(1));
      await holdings.insert(batch.slice(-1));
    }
    const work = places.next();
    if (work?.kind === 'run') places.release(work.slot, 'failure');
    await holdings.returnExcess();
    expect((await waiting()).map(({ _id }) => _id)).toEqual(batch.slice(2 + 16).map(({ _id }) => _id));
    expect((await waiting())[0]).not.toHaveProperty('owner');
    expect(started()).toEqual([batch[1]?._id]);
  });

  it('is due at once for anyone when the process stops before it was started.', async () => {
    const { holdings, started } = startProcess('p1', ONE_PLACE);
    const batch = fresh(3);
    await holdings.insert(batch);
    const running = started();
    await holdings.returnAll();
    const free = await scheduled();
    expect(free.map(({ _id }) => _id).toSorted()).toEqual(
      batch
        .map(({ _id }) => _id)
        .filter((id) => !running.includes(id))
        .toSorted(),
    );
    expect(free.every(({ status, owner }) => status === 'pending' && owner === undefined)).toBe(true);
  });

  it('gets no more slots while too many results wait to be stored, also when all places are free.', async () => {
    const { holdings, places } = startProcess('p1', ROOMY, 10);
    const batch = fresh(12);
    await holdings.insert(batch.slice(0, 10));
    for (let work = places.next(); work; work = places.next()) {
      if (work.kind === 'run') places.release(work.slot, 'success');
    }
    await holdings.insert(batch.slice(10));
    expect(await waiting()).toHaveLength(2);
    expect(holdings.reserve(deliveryRecord(webhook), 'waiting')).toBeNull();
    holdings.forget(batch[0]?._id ?? '');
    expect(holdings.reserve(deliveryRecord(webhook), 'waiting')).not.toBeNull();
  });
});
