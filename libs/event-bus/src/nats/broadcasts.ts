import type { BroadcastListener } from '../port/port.ts';
import type { Link } from './link.ts';

/** Outside the subjects of the stream, so that the server stores nothing. */
const SUBJECT = 'svc.broadcast';

interface Broadcasts {
  /** Rejects with the error of the client library. */
  send(message: string): Promise<void>;
  listen(listener: BroadcastListener): () => void;
}

/**
 * Broadcasts through core NATS: the server forwards a message to the connected processes and
 * forgets it.
 */
export async function openBroadcasts(link: Link, closing: AbortSignal): Promise<Broadcasts> {
  const { nc } = link;
  const listeners = new Set<BroadcastListener>();
  nc.subscribe(SUBJECT, {
    callback(error, message) {
      if (!error) for (const listener of listeners) listener.onMessage(message.string());
    },
  });
  await link.whileUp(() => nc.flush());
  void reportGaps();

  /**
   * A session starts after a round trip, so the server has the subscription of the new connection
   * by then.
   */
  async function reportGaps(): Promise<void> {
    for (;;) {
      const session = await link.nextSession(closing);
      if (!session || closing.aborted) return;
      for (const listener of listeners) listener.onGap();
      await aborted(AbortSignal.any([session.lost, closing]));
    }
  }

  return {
    send: (message) =>
      link.whileUp(async () => {
        nc.publish(SUBJECT, message);
        await nc.flush();
      }),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
