import type { Collection } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import type { EventBus } from '@svcforms/event-bus';
import { DELIVERIES, type DeliveryRecord } from '@svcforms/records';
import { NO_RETRIES, withFaults } from '../../test/faults.ts';
import { deliveryRecord, webhookRecord } from '../../test/records.ts';
import { createDeliveryQueue } from './delivery-queue.ts';
import type { Lease } from './leases.ts';

const ONE_AT_A_TIME = { perWebhook: 1, perAccount: 8, global: 8 };

describe('a delivery queue', () => {
  const store = openTestStore();
  const deliveries: Collection<DeliveryRecord> = store.collection(DELIVERIES);
  const webhook = webhookRecord({ url: 'http://localhost' });

  beforeAll(() => store.ensureIndexes());
  afterEach(async () => void (await deliveries.deleteMany({})));

  /** A queue whose jobs don't run, and the times at which it schedules a sweep. */
  function createQueue() {
    const sweeps: number[] = [];
    const faults = withFaults({ store, bus: {} as EventBus });
    const queue = createDeliveryQueue(
      { limits: ONE_AT_A_TIME, deliveryTimeoutMs: 10_000 },
      {
        store: faults.store,
        retry: NO_RETRIES,
        findErased: async () => new Set<string>(),
        liftedPauses: async () => [],
        createJob: () => ({
          start() {},
          runAt: (time) => void sweeps.push(time),
          runAfter() {},
          async stop() {},
        }),
        log: { info() {}, warn() {} },
        signal: new AbortController().signal,
        now: Date.now,
      },
    );
    return { queue, sweeps, faults };
  }

  const fresh = (count: number) => Array.from({ length: count }, () => deliveryRecord(webhook));
  const inStore = ({ delivery }: Lease) => deliveries.findOne({ _id: delivery._id });

  it('hands out as many deliveries as there are permits', async () => {
    const { queue } = createQueue();
    const [first] = fresh(1);
    await queue.enqueue([first!, ...fresh(1)], { isNew: false });
    expect(queue.next()?.delivery._id).toBe(first!._id);
    expect(queue.next()).toBeUndefined();
  });

  it('reports new deliveries before they are stored', async () => {
    const { queue } = createQueue();
    const started: (string | undefined)[] = [];
    queue.onReady(() => started.push(queue.next()?.delivery._id));
    const [delivery] = fresh(1);
    const stored = queue.enqueue([delivery!], { isNew: true });
    expect(started).toEqual([delivery!._id]);
    await stored;
  });

  it('releases the permit of a completed delivery before the result is stored', async () => {
    const { queue, sweeps } = createQueue();
    await queue.enqueue(fresh(2), { isNew: false });
    const lease = queue.next()!;
    const stored = queue.complete(lease, { status: 'pending', dueAt: 5_000, feedback: 'unused' });
    expect(queue.next()).toBeDefined();
    expect(await inStore(lease)).toMatchObject({ status: 'delivering' });
    await stored;
    expect(await inStore(lease)).toMatchObject({ status: 'pending', dueAt: new Date(5_000).toISOString() });
    expect(sweeps).toEqual([5_000]);
  });

  it("releases a permit once when the result can't be stored", async () => {
    const { queue, faults } = createQueue();
    await queue.enqueue(fresh(3), { isNew: false });
    const lease = queue.next()!;
    faults.interruptStore();
    await expect(queue.complete(lease, { status: 'delivered', feedback: 'unused' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    queue.release(lease);
    expect(queue.next()).toBeDefined();
    expect(queue.next()).toBeUndefined();
  });

  it('leaves a released delivery leased in the store until the lease expires', async () => {
    const { queue } = createQueue();
    await queue.enqueue(fresh(1), { isNew: false });
    const lease = queue.next()!;
    queue.release(lease);
    expect(await inStore(lease)).toMatchObject({ status: 'delivering', dueAt: expect.any(String) });
    expect(queue.next()).toBeUndefined();
  });

  it('makes deliveries that have not started due when it drains', async () => {
    const { queue } = createQueue();
    await queue.enqueue(fresh(3), { isNew: false });
    const lease = queue.next()!;
    await queue.drain();
    expect(await deliveries.count({ status: 'pending', owner: { $exists: false } })).toBe(2);
    expect(await inStore(lease)).toMatchObject({ status: 'delivering' });
  });
});
