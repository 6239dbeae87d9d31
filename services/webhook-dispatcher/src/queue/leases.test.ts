import type { Collection } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { NO_RETRIES } from '../../test/faults.ts';
import { deliveryRecord, webhookRecord } from '../../test/records.ts';
import { createClaims } from './claims.ts';
import { createDeferredInserts } from './deferred-inserts.ts';
import { createIntake } from './intake.ts';
import { createLeases, type Lease } from './leases.ts';
import type { ConcurrencyLimits } from './permit-rules.ts';
import { createPermits } from './permits.ts';

const ROOMY: ConcurrencyLimits = { perWebhook: 16, perAccount: 128, global: 512 };
/** One permit, 16 prefetched. */
const ONE_PERMIT: ConcurrencyLimits = { perWebhook: 1, perAccount: 128, global: 512 };
const DELIVERY_TIMEOUT_MS = 10_000;
const LEASE_MS = 15_000;

describe('a lease', () => {
  const store = openTestStore();
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });
  let time = Date.parse('2026-11-21T10:00:00.000Z');
  const iso = (ms: number) => new Date(ms).toISOString();

  beforeAll(() => store.ensureIndexes());
  afterEach(async () => void (await deliveries.deleteMany({})));

  function startProcess(owner: string, limits = ROOMY, maxLeases = 12_000) {
    const now = () => time;
    const permits = createPermits<Lease>(limits);
    const deferredInserts = createDeferredInserts({ deliveries, retry: NO_RETRIES });
    const leases = createLeases({
      deliveries,
      deferredInserts,
      permits,
      owner,
      deliveryTimeoutMs: DELIVERY_TIMEOUT_MS,
      maxLeases,
      now,
    });
    const intake = createIntake({ deliveries, deferredInserts, permits, leases, now });
    const claims = createClaims({ deliveries, permits, leases, now });
    /** Returns the ids of the deliveries that can start now. Their permits stay in use. */
    const started = (): string[] => {
      const ids: string[] = [];
      for (let work = permits.next(); work; work = permits.next()) {
        if (work.kind === 'run' && leases.isValid(work.item)) ids.push(work.item.delivery._id);
      }
      return ids;
    };
    return { leases, intake, claims, permits, started };
  }

  const fresh = (n: number) =>
    Array.from({ length: n }, () => deliveryRecord(webhook, { createdAt: iso(time) }));
  const inStore = (_id: string | undefined) => deliveries.findOne({ _id: _id ?? '' });
  const scheduled = () => deliveries.find({ dueAt: { $exists: true, $lte: iso(time) } });
  const backlog = () => deliveries.find({ waiting: { $exists: true } }, { sort: ['waiting'] });

  it('starts when the delivery is stored, and deliveries without a reservation join the backlog', async () => {
    const { intake, started } = startProcess('p1', ONE_PERMIT);
    const batch = fresh(20);
    await intake.insert(batch);
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
    expect(await backlog()).toHaveLength(3);
  });

  it('starts before the insert of a new delivery; deliveries without a reservation join the backlog', async () => {
    const { intake, started } = startProcess('p1', ONE_PERMIT);
    const batch = fresh(20);
    const stored = intake.insertDeferred(batch);
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
    expect((await backlog()).map(({ _id }) => _id)).toEqual(batch.slice(17).map(({ _id }) => _id));
  });

  it('is not given to a newer delivery while others are on their way to the backlog', async () => {
    const { intake, leases, permits, started } = startProcess('p1', ONE_PERMIT);
    const stored = intake.insertDeferred(fresh(20));
    started();
    permits.takeAll();
    expect(leases.reserve(deliveryRecord(webhook), 'due')).toBeNull();
    await stored;
  });

  it('ends when the process stops before the insert, and the delivery is due now', async () => {
    const { intake, leases, started } = startProcess('p1', ONE_PERMIT);
    const batch = fresh(3);
    const stored = intake.insertDeferred(batch);
    const [running] = started();
    await leases.returnAll();
    const free = (await scheduled()).map(({ _id }) => _id);
    expect(free.toSorted()).toEqual(
      batch
        .map(({ _id }) => _id)
        .filter((id) => id !== running)
        .toSorted(),
    );
    await stored;
  });

  it('ends as early as a new one after the clock was set back', async () => {
    const { intake, leases } = startProcess('p1');
    const [delivery] = fresh(1);
    await intake.insert([delivery!]);
    time -= 3_600_000;
    await leases.renew();
    expect(await inStore(delivery?._id)).toMatchObject({ owner: 'p1', dueAt: iso(time + LEASE_MS) });
  });

  it('keeps no reservation for a delivery that is already stored', async () => {
    const { intake } = startProcess('p1', ONE_PERMIT);
    const [first, second] = fresh(2) as [DeliveryRecord, DeliveryRecord];
    for (let n = 0; n < 100; n++) await intake.insert([first]);
    await intake.insert([second]);
    expect(await inStore(second._id)).toMatchObject({ status: 'delivering', owner: 'p1' });
  });

  it('excludes other processes while it is renewed, and expires when it is not', async () => {
    const alive = startProcess('alive');
    const other = startProcess('other');
    const batch = fresh(3);
    await alive.intake.insert(batch);
    for (let n = 0; n < 9; n++) {
      time += LEASE_MS / 3;
      await alive.leases.renew();
      await other.claims.claimDue(await scheduled());
      expect(other.started()).toEqual([]);
    }
    time += LEASE_MS;
    await other.claims.claimDue(await scheduled());
    expect(other.started().toSorted()).toEqual(batch.map(({ _id }) => _id).toSorted());
    expect(alive.started()).toEqual([]);
  });

  it('does not start an attempt after another process took over, even after a renewal', async () => {
    const slow = startProcess('slow');
    const other = startProcess('other');
    await slow.intake.insert(fresh(2));
    time += LEASE_MS;
    await other.claims.claimDue((await scheduled()).slice(0, 1));
    await slow.leases.renew();
    expect([...slow.started(), ...other.started()]).toHaveLength(2);
    expect(new Set((await deliveries.find({})).map(({ owner }) => owner))).toEqual(
      new Set(['slow', 'other']),
    );
  });

  it('goes to one process when several claim the same delivery', async () => {
    const processes = ['p1', 'p2', 'p3'].map((name) => startProcess(name));
    await deliveries.insertMany(fresh(30).map((delivery) => ({ ...delivery, dueAt: iso(time) })));
    const seen = await scheduled();
    await Promise.all(processes.map(({ claims }, n) => claims.claimDue(seen.slice(n * 5, n * 5 + 15))));
    const started = processes.flatMap((process) => process.started());
    expect(started).toHaveLength(25);
    expect(new Set(started).size).toBe(25);
  });

  it('is not given to due deliveries without a reservation; they join the backlog in the order in which they became due', async () => {
    const { claims } = startProcess('p1', ONE_PERMIT);
    const due = fresh(20).map((delivery, n) => ({ ...delivery, dueAt: iso(time - 1000 + n) }));
    await deliveries.insertMany(due);
    await claims.claimDue(due);
    expect((await backlog()).map(({ _id }) => _id)).toEqual(due.slice(17).map(({ _id }) => _id));
    expect(await scheduled()).toEqual([]);
  });

  it('ends when the webhook becomes slow, and the delivery returns to its position in the backlog', async () => {
    const { intake, leases, permits, started } = startProcess('p1', { ...ROOMY, perWebhook: 2 });
    const batch: DeliveryRecord[] = [];
    for (let n = 0; n < 34; n++) {
      time += 1;
      batch.push(...fresh(1));
      await intake.insert(batch.slice(-1));
    }
    const work = permits.next();
    if (work?.kind === 'run') permits.release(work.reservation, 'failure');
    await leases.returnExcess();
    expect((await backlog()).map(({ _id }) => _id)).toEqual(batch.slice(2 + 16).map(({ _id }) => _id));
    expect((await backlog())[0]).not.toHaveProperty('owner');
    expect(started()).toEqual([batch[1]?._id]);
  });

  it('ends when the process stops before the attempt, and the delivery is due now', async () => {
    const { intake, leases, started } = startProcess('p1', ONE_PERMIT);
    const batch = fresh(3);
    await intake.insert(batch);
    const running = started();
    await leases.returnAll();
    const free = await scheduled();
    expect(free.map(({ _id }) => _id).toSorted()).toEqual(
      batch
        .map(({ _id }) => _id)
        .filter((id) => !running.includes(id))
        .toSorted(),
    );
    expect(free.every(({ status, owner }) => status === 'pending' && owner === undefined)).toBe(true);
  });

  it('is not given while too many results wait to be stored, even when all permits are free', async () => {
    const { intake, leases, permits } = startProcess('p1', ROOMY, 10);
    const batch = fresh(12);
    await intake.insert(batch.slice(0, 10));
    for (let work = permits.next(); work; work = permits.next()) {
      if (work.kind === 'run') permits.release(work.reservation, 'success');
    }
    await intake.insert(batch.slice(10));
    expect(await backlog()).toHaveLength(2);
    expect(leases.reserve(deliveryRecord(webhook), 'backlog')).toBeNull();
    permits.resume(1_000);
    expect(leases.withoutRoomSince(deliveryRecord(webhook))).toBe(1_000);
    leases.forget(batch[0]?._id ?? '');
    expect(leases.withoutRoomSince(deliveryRecord(webhook))).toBeUndefined();
    expect(leases.reserve(deliveryRecord(webhook), 'backlog')).not.toBeNull();
  });
});
