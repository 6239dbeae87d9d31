import { DiscardPolicy, JetStreamApiError, StorageType, type StreamInfo } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import type { SharedValue, SharedValues } from '../port/port.ts';
import { busErrorFrom, isNoResponders, isStreamNotFound } from './errors.ts';
import type { Link } from './link.ts';
import type { Publisher } from './publisher.ts';
import type { Session } from './session.ts';
import { clockOffset, type StreamSize } from './stream.ts';

export const SHARED_STREAM = 'SVC_SHARED';
const SUBJECTS = 'svc.shared.';
/** About 200 000 values. A full stream refuses new ones. */
const MAX_BYTES = 32 * 1024 ** 2;
const CLOCK_AGE_MS = 60_000;
/** After the server refuses to create the stream, wait this long before retrying. */
const REFUSED_MS = 1_000;
/**
 * The server's codes for a message whose expected sequence isn't the last one of its subject; the
 * second one, if the last one isn't on enough servers of a cluster yet.
 */
const WRONG_LAST_SEQUENCE = [10071, 10164];

/** The stream as this process found it. */
interface Opened {
  session: Session;
  /** Tells the revisions of a recreated stream from older ones. */
  epoch: string;
}

/**
 * Values in a stream in memory with one message per key. A restart of the server loses them, and
 * the next call recreates the stream. It isn't created before the first call.
 */
export function createSharedValues(
  link: Link,
  { publisher, replicas }: { publisher: Publisher } & Pick<StreamSize, 'replicas'>,
): SharedValues {
  let opening: Promise<Opened> | undefined;
  let opened: Opened | undefined;
  let refused: { error: unknown; at: number } | undefined;
  let offsetMs = link.clockOffsetMs;
  let clockReadAt = -Infinity;

  async function readInfo(): Promise<StreamInfo> {
    const sentAt = performance.now();
    const info = await link.jsm.streams.info(SHARED_STREAM);
    offsetMs = clockOffset(info, sentAt);
    clockReadAt = performance.now();
    return info;
  }

  async function findOrCreate(): Promise<StreamInfo> {
    try {
      return await readInfo();
    } catch (error) {
      if (!isStreamNotFound(error)) throw error;
    }
    // Several processes may create it at the same time, with the same settings.
    await link.jsm.streams.add({
      name: SHARED_STREAM,
      subjects: [`${SUBJECTS}*`],
      storage: StorageType.Memory,
      discard: DiscardPolicy.New,
      max_bytes: MAX_BYTES,
      max_msgs_per_subject: 1,
      num_replicas: replicas ?? 1,
      allow_direct: true,
      allow_msg_ttl: true,
    });
    return readInfo();
  }

  async function find(session: Session): Promise<Opened> {
    const info = await findOrCreate();
    if (replicas !== undefined && replicas !== info.config.num_replicas)
      await link.jsm.streams.update(SHARED_STREAM, { num_replicas: replicas });
    return { session, epoch: Date.parse(info.created).toString(36) };
  }

  /** Looks for the stream once per session: a server that restarted has lost it. */
  async function open(): Promise<Opened> {
    const session = link.needSession();
    if (opened?.session === session) {
      if (performance.now() - clockReadAt > CLOCK_AGE_MS) {
        clockReadAt = performance.now();
        void readInfo().catch(() => {});
      }
      return opened;
    }
    if (refused && performance.now() - refused.at < REFUSED_MS) throw refused.error;
    opening ??= find(session)
      .catch((error: unknown) => {
        refused = { error, at: performance.now() };
        throw error;
      })
      .finally(() => (opening = undefined));
    opened = await opening;
    return opened;
  }

  /** Runs `work`, a second time if the stream was removed during the session. */
  async function withStream<T>(work: (stream: Opened) => Promise<T>): Promise<T> {
    try {
      return await link.whileUp(async () => {
        const stream = await open();
        try {
          return await work(stream);
        } catch (error) {
          if (!isNoResponders(error) && !isStreamNotFound(error)) throw error;
        }
        opened = undefined;
        return work(await open());
      });
    } catch (error) {
      throw busErrorFrom(error, 'the shared values are not available');
    }
  }

  return {
    now: () => performance.now() + offsetMs,
    read: (key) =>
      withStream(async ({ epoch }): Promise<SharedValue | null> => {
        const found = await link.jsm.direct.getMessage(SHARED_STREAM, { last_by_subj: SUBJECTS + key });
        return found && { text: found.string(), revision: `${epoch}-${found.seq}` };
      }),
    replace: (key, text, { revision, ttlMs }) =>
      withStream(async ({ epoch }) => {
        const [revisionEpoch, seq = '0'] = revision === null ? [epoch] : revision.split('-');
        if (revisionEpoch !== epoch) return null;
        const given = headers();
        given.set('Nats-Expected-Last-Subject-Sequence', seq);
        given.set('Nats-TTL', `${Math.ceil(ttlMs / 1000)}s`);
        try {
          return `${epoch}-${await publisher.publish(SUBJECTS + key, text, given)}`;
        } catch (error) {
          if (error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.includes(error.code)) return null;
          throw error;
        }
      }),
  };
}
