import type { WebhookQueue } from './webhook-queues.ts';

interface Holds<T> {
  /** Holds the queue at least until this time, by the clock of `end`. */
  hold(queue: WebhookQueue<T>, until: number): void;
  /** Ends the holds that are over at `now`, and those of the webhooks in `lifted`. */
  end(now: number, lifted?: readonly string[]): void;
}

/**
 * Keeps queues from starting attempts until a time. `flag` is set in a queue while it's held;
 * `onEnd` gets each queue whose hold has ended.
 */
export function createHolds<T>(
  flag: 'isPaused' | 'isResting',
  onEnd: (queue: WebhookQueue<T>) => void,
): Holds<T> {
  const heldUntil = new Map<WebhookQueue<T>, number>();
  return {
    hold(queue, until) {
      queue[flag] = true;
      heldUntil.set(queue, Math.max(until, heldUntil.get(queue) ?? 0));
    },
    end(now, lifted = []) {
      for (const [queue, until] of heldUntil) {
        if (until > now && !lifted.includes(queue.webhookId)) continue;
        heldUntil.delete(queue);
        queue[flag] = false;
        onEnd(queue);
      }
    },
  };
}
