import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { isConsumerNotFound } from './errors.ts';
import type { Link } from './link.ts';
import { STREAM } from './stream.ts';

/** Messages that all consumers of one durable name may hold together. */
const MAX_ACK_PENDING = 10_000;

/** Makes the durable consumer where it is absent: with a new name, or after the server lost its data. */
export async function ensureDurable({ jsm }: Link, durable: string, ackWaitMs: number): Promise<void> {
  const ack_wait = nanos(ackWaitMs);
  try {
    const { config } = await jsm.consumers.info(STREAM, durable);
    if (config.ack_wait !== ack_wait) await jsm.consumers.update(STREAM, durable, { ack_wait });
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    await jsm.consumers.add(STREAM, {
      durable_name: durable,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait,
      // For ever. No `backoff` either: it would take the place of the ack wait.
      max_deliver: -1,
      max_ack_pending: MAX_ACK_PENDING,
    });
  }
}

/** Messages that the durable name has not acknowledged: handed out or not. */
export async function lagOf({ jsm }: Link, durable: string): Promise<number> {
  try {
    const { num_pending: waiting, num_ack_pending: handedOut } = await jsm.consumers.info(STREAM, durable);
    return waiting + handedOut;
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    return (await jsm.streams.info(STREAM)).state.messages;
  }
}
