import { waitAtMost, type Logger } from '@svcforms/primitives';
import type { DeliveryQueue } from '../queue/delivery-queue.ts';
import type { Lease } from '../queue/leases.ts';
import { logIdsOf } from '../record/log-ids.ts';

export interface Workers {
  /** Takes deliveries whenever the queue has some. */
  start(): void;
  /** Takes no more, and waits for the running ones, but no longer than `maxMs` milliseconds. */
  stop(maxMs: number): Promise<void>;
}

interface WorkersDeps {
  queue: Pick<DeliveryQueue, 'next' | 'release' | 'onReady'>;
  deliver: (lease: Lease) => Promise<void>;
  log: Pick<Logger, 'error'>;
}

/** Runs as many deliveries at once as the queue hands out. */
export function createWorkers({ queue, deliver, log }: WorkersDeps): Workers {
  const running = new Set<Promise<void>>();
  let isOpen = true;
  let isTaking = false;

  function takeAll(): void {
    // A delivery that ends at once calls this again, and the loop goes on anyway.
    if (isTaking) return;
    isTaking = true;
    try {
      while (isOpen) {
        const lease = queue.next();
        if (!lease) break;
        const run = runOne(lease);
        running.add(run);
        void run.then(() => running.delete(run));
      }
    } finally {
      isTaking = false;
    }
  }

  async function runOne(lease: Lease): Promise<void> {
    try {
      await deliver(lease);
    } catch (error) {
      queue.release(lease);
      // While the service stops, the store may be gone; the lease expires and the delivery is due
      // again.
      if (isOpen)
        log.error(
          { event: 'delivery.broken', ...logIdsOf(lease.delivery), err: error },
          'delivery failed unexpectedly; retrying when its lease expires',
        );
    }
  }

  return {
    start() {
      queue.onReady(takeAll);
      takeAll();
    },

    async stop(maxMs) {
      isOpen = false;
      await waitAtMost(Promise.all(running), maxMs);
    },
  };
}
