import { JetStreamApiError, type ApiError } from '@nats-io/jetstream';
import {
  createInbox,
  NoRespondersError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { EventBusError } from '../port.ts';

const NO_RESPONDERS = 503;

export interface Publisher {
  /**
   * Resolves with the sequence in the stream when the message is stored there.
   * @throws NoRespondersError (there is no stream for the subject), JetStreamApiError (refused), EventBusError `UNAVAILABLE`
   */
  publish(subject: string, payload: string, headers: MsgHdrs): Promise<number>;
}

interface Waiting {
  subject: string;
  timer: NodeJS.Timeout;
  resolve: (seq: number) => void;
  reject: (error: Error) => void;
}

/**
 * Publishes, and takes all acknowledgements by one subscription. The client library's request does that too, but makes an Error
 * with its stack for every answer that is well.
 */
export function createPublisher(
  nc: Pick<NatsConnection, 'publish' | 'subscribe'>,
  { timeoutMs }: { timeoutMs: number },
): Publisher {
  const inbox = createInbox();
  const waiting = new Map<string, Waiting>();
  let count = 0;

  function take(token: string): Waiting | undefined {
    const entry = waiting.get(token);
    waiting.delete(token);
    clearTimeout(entry?.timer);
    return entry;
  }

  nc.subscribe(`${inbox}.*`, {
    callback(error, msg) {
      // Of the subscription itself: what waits runs out of time.
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
          reject(new EventBusError('UNAVAILABLE', `no answer within ${timeoutMs} ms`));
        }, timeoutMs).unref();
        waiting.set(token, { subject, timer, resolve, reject });
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
  if (typeof seq !== 'number') throw new EventBusError('UNAVAILABLE', 'the answer is no acknowledgement');
  return seq;
}
