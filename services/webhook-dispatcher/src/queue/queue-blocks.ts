import type { WebhookQueue } from './webhook-queues.ts';

interface QueueBlocks<T> {
  /** Blocks the queue at least until this time, by the clock of `end`. */
  block(queue: WebhookQueue<T>, until: number): void;
  /** Ends the blocks that are over at `now`, and those of the webhooks in `lifted`. */
  end(now: number, lifted?: readonly string[]): void;
}

/**
 * Keeps queues from starting attempts until a time. `flag` is set in a queue while it's blocked;
 * `onEnd` gets each queue whose block has ended.
 */
export function createQueueBlocks<T>(
  flag: 'isPaused' | 'isResting',
  onEnd: (queue: WebhookQueue<T>) => void,
): QueueBlocks<T> {
  const blockedUntil = new Map<WebhookQueue<T>, number>();
  return {
    block(queue, until) {
      queue[flag] = true;
      blockedUntil.set(queue, Math.max(until, blockedUntil.get(queue) ?? 0));
    },
    end(now, lifted = []) {
      for (const [queue, until] of blockedUntil) {
        if (until > now && !lifted.includes(queue.webhookId)) continue;
        blockedUntil.delete(queue);
        queue[flag] = false;
        onEnd(queue);
      }
    },
  };
}
