import { AckPolicy, DeliverPolicy } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { isConsumerNotFound } from './errors.ts';
import { hedged } from './hedge.ts';
import type { Link } from './link.ts';
import { STREAM } from './stream.ts';

/** The most messages that all consumers of one durable name may have unacknowledged. */
const MAX_ACK_PENDING = 10_000;

/** Creates the durable consumer if it is absent: for a new name, or after the server lost its data. */
export async function ensureDurable({ jsm }: Link, durable: string, ackWaitMs: number): Promise<void> {
  const ack_wait = nanos(ackWaitMs);
  try {
    const { config } = await hedged(() => jsm.consumers.info(STREAM, durable));
    if (config.ack_wait !== ack_wait) await jsm.consumers.update(STREAM, durable, { ack_wait });
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    await jsm.consumers.add(STREAM, {
      durable_name: durable,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait,
      // Deliveries repeat forever. `backoff` isn't set because it would replace the ack wait.
      max_deliver: -1,
      max_ack_pending: MAX_ACK_PENDING,
    });
  }
}

/** The number of messages that the durable name hasn't acknowledged, delivered or not. */
export async function lagOf({ jsm }: Link, durable: string): Promise<number> {
  try {
    const { num_pending: undelivered, num_ack_pending: unacked } = await jsm.consumers.info(STREAM, durable);
    return undelivered + unacked;
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    return (await jsm.streams.info(STREAM)).state.messages;
  }
}
