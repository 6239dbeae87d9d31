import { JetStreamApiError, type ApiError } from '@nats-io/jetstream';
import {
  createInbox,
  NoRespondersError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { EventBusError } from '../port/port.ts';

const NO_RESPONDERS = 503;

export interface Publisher {
  /**
   * Resolves with the sequence in the stream when the message is stored.
   * @throws NoRespondersError (there is no stream for the subject), JetStreamApiError (refused),
   * EventBusError `UNAVAILABLE`
   */
  publish(subject: string, payload: string, headers: MsgHdrs): Promise<number>;
}

interface PendingPublish {
  subject: string;
  timer: NodeJS.Timeout;
  resolve: (seq: number) => void;
  reject: (error: Error) => void;
}

/**
 * Publishes messages and receives all acknowledgements through one subscription. The client
 * library's `request` does so too, but creates an Error with a stack for every successful response.
 */
export function createPublisher(
  nc: Pick<NatsConnection, 'publish' | 'subscribe'>,
  { timeoutMs, inboxPrefix }: { timeoutMs: number; inboxPrefix: string },
): Publisher {
  const inbox = createInbox(inboxPrefix);
  const pending = new Map<string, PendingPublish>();
  let count = 0;

  function take(token: string): PendingPublish | undefined {
    const entry = pending.get(token);
    pending.delete(token);
    clearTimeout(entry?.timer);
    return entry;
  }

  nc.subscribe(`${inbox}.*`, {
    callback(error, msg) {
      // An error of the subscription itself: pending publishes time out.
      if (error) return;
      const entry = take(msg.subject.slice(inbox.length + 1));
      if (!entry) return;
      try {
        entry.resolve(sequenceIn(msg, entry.subject));
      } catch (error) {
        entry.reject(error as Error);
      }
    },
  });

  return {
    publish: (subject, payload, headers) =>
      new Promise((resolve, reject) => {
        count += 1;
        const token = count.toString(36);
        const timer = setTimeout(() => {
          take(token);
          reject(new EventBusError('UNAVAILABLE', `no response within ${timeoutMs} ms`));
        }, timeoutMs).unref();
        pending.set(token, { subject, timer, resolve, reject });
        try {
          nc.publish(subject, payload, { reply: `${inbox}.${token}`, headers });
        } catch (error) {
          take(token);
          reject(error as Error);
        }
      }),
  };
}

function sequenceIn(msg: Msg, subject: string): number {
  if (msg.headers?.code === NO_RESPONDERS) throw new NoRespondersError(subject);
  const { seq, error } = msg.json<{ seq?: number; error?: ApiError }>();
  if (error) throw new JetStreamApiError(error);
  if (typeof seq !== 'number')
    throw new EventBusError('UNAVAILABLE', 'the response is not an acknowledgement');
  return seq;
}
