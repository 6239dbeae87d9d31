import type { Clock, CreateJob } from '@svcforms/primitives';
import type { DeliverySweep } from './delivery-sweep.ts';
import type { Lease, Leases } from './leases.ts';
import type { Permits } from './permits.ts';

const SWEEP_EVERY_MS = 1_000;
const SCAN_EVERY_MS = 5_000;
const RECOVER_EVERY_MS = 1_000;
/** Longer than any interval of a rate limit: it adds its own times. */
const WAKE_EVERY_MS = 60_000;

interface QueueJobs {
  /** Sweeps due deliveries at this time too, in milliseconds since the epoch. */
  sweepAt(time: number): void;
  /** Wakes webhooks with a rate limit after this time too. */
  wakeAfter(ms: number): void;
  start(): void;
  /** Stops looking for deliveries; leases are still renewed. */
  stopLookups(): Promise<void>;
  stopRenewal(): Promise<void>;
}

interface QueueJobsDeps {
  createJob: CreateJob;
  permits: Permits<Lease>;
  leases: Leases;
  sweep: DeliverySweep;
  recover: () => Promise<void>;
  /** Returns the webhooks whose pause ended early. */
  liftedPauses: () => Promise<readonly string[]>;
  onReady: () => void;
  now: Clock;
}

/** Creates the periodic work of the queue. */
export function createQueueJobs(deps: QueueJobsDeps): QueueJobs {
  const { createJob, permits, leases, sweep, recover, liftedPauses, onReady, now } = deps;
  const sweeping = createJob('delivery sweep', SWEEP_EVERY_MS, async () => {
    permits.resume(now(), await liftedPauses());
    await sweep.sweepDue();
  });
  const waking = createJob('rate limits', WAKE_EVERY_MS, async () => {
    permits.wake(performance.now());
    onReady();
  });
  const lookups = [
    sweeping,
    waking,
    createJob('backlog scan', SCAN_EVERY_MS, () => sweep.scanBacklog()),
    createJob('recovery of deliveries', RECOVER_EVERY_MS, recover),
  ];
  const renewal = createJob('lease renewal', leases.renewEveryMs, async () => {
    await leases.renew();
    await leases.returnExcess();
  });

  return {
    sweepAt: (time) => sweeping.runAt(time),
    wakeAfter: (ms) => waking.runAfter(ms),
    start() {
      for (const job of [...lookups, renewal]) job.start();
    },
    async stopLookups() {
      await Promise.all(lookups.map((job) => job.stop()));
    },
    stopRenewal: () => renewal.stop(),
  };
}
