import { AckPolicy, DeliverPolicy, type ConsumerConfig } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { ConsumeOptions } from '../port/port.ts';
import { isConsumerNotFound } from './errors.ts';
import { hedged } from './hedge.ts';
import type { Link } from './link.ts';
import { pairsNameOf } from './pairs.ts';
import { filtersOf, STREAM } from './stream.ts';

/** The most messages that all consumers of one durable name may have unacknowledged. */
const MAX_ACK_PENDING = 10_000;

/** A durable consumer of the stream. */
export interface Durable {
  name: string;
  /** The subjects of its messages. */
  filters: readonly string[];
  ackWaitMs: number;
}

/**
 * The two consumers of a durable name: the first for messages with one event, the second for pairs.
 * The first must be created before the second, so that it never gets a pair.
 */
export function durablesOf(
  durable: string,
  { ackWaitMs, only }: Pick<ConsumeOptions, 'ackWaitMs' | 'only'>,
): [Durable, Durable] {
  const { ofSingles, ofPairs } = filtersOf(only);
  return [
    { name: durable, filters: ofSingles, ackWaitMs },
    { name: pairsNameOf(durable), filters: ofPairs, ackWaitMs },
  ];
}

/**
 * Creates the durable consumer if it is absent: for a new name, or after the server lost its data.
 * Changes one that another version or other settings created.
 */
export async function ensureDurable({ jsm }: Link, { name, filters, ackWaitMs }: Durable): Promise<void> {
  const ack_wait = nanos(ackWaitMs);
  const filtering =
    filters.length === 1 ? { filter_subject: filters[0] ?? '' } : { filter_subjects: [...filters] };
  try {
    const { config } = await hedged(() => jsm.consumers.info(STREAM, name));
    const isFiltered = filtersIn(config).toSorted().join() === filters.toSorted().join();
    if (config.ack_wait !== ack_wait || !isFiltered)
      await jsm.consumers.update(STREAM, name, { ack_wait, ...filtering });
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    await jsm.consumers.add(STREAM, {
      durable_name: name,
      deliver_policy: DeliverPolicy.All,
      ack_policy: AckPolicy.Explicit,
      ack_wait,
      ...filtering,
      // Deliveries repeat forever. `backoff` isn't set because it would replace the ack wait.
      max_deliver: -1,
      max_ack_pending: MAX_ACK_PENDING,
    });
  }
}

/** The subjects that a consumer is restricted to; empty without a restriction. */
export function filtersIn({
  filter_subject: one,
  filter_subjects: several,
}: Pick<ConsumerConfig, 'filter_subject' | 'filter_subjects'>): string[] {
  return several ?? (one ? [one] : []);
}

/**
 * The number of events that the durable name hasn't acknowledged, delivered or not. For a new name,
 * all messages.
 */
export async function lagOf({ jsm }: Link, durable: string): Promise<number> {
  const [ofSingles, ofPairs] = await Promise.all(
    [durable, pairsNameOf(durable)].map((name) => unackedBy(jsm, name)),
  );
  return ofSingles === null || ofSingles === undefined
    ? (await jsm.streams.info(STREAM)).state.messages
    : ofSingles + 2 * (ofPairs ?? 0);
}

/** `null` if there is no such consumer. */
async function unackedBy(jsm: Link['jsm'], name: string): Promise<number | null> {
  try {
    const { num_pending: undelivered, num_ack_pending: unacked } = await jsm.consumers.info(STREAM, name);
    return undelivered + unacked;
  } catch (error) {
    if (!isConsumerNotFound(error)) throw error;
    return null;
  }
}
