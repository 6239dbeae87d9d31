import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { BusEvent } from '@svcforms/contracts';
import { differenceOf, secondOf } from './pairs.ts';
import { subjectOf } from './stream.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The server deduplicates messages by this header. */
const ID_HEADER = 'Nats-Msg-Id';
/** The event without its body, as JSON. The payload is the body, byte for byte. */
const META_HEADER = 'Svc-Event';
/** How the second event of a pair differs from the first, as JSON. */
const SECOND_HEADER = 'Svc-Second-Event';
const ID_SEPARATOR = ',';

export function encodeEvent(event: BusEvent): EncodedMessage {
  const { body, ...meta } = event;
  const hdrs = headers();
  hdrs.set(ID_HEADER, event.id);
  hdrs.set(META_HEADER, JSON.stringify(body === null ? { ...meta, body } : meta));
  return { subject: subjectOf(event), headers: hdrs, payload: body ?? '' };
}

interface EncodedMessage {
  subject: string;
  headers: MsgHdrs;
  payload: string;
}

/** One message with both events; `null` if they aren't a pair. */
export function encodePair(first: BusEvent, second: BusEvent): EncodedMessage | null {
  const difference = differenceOf(first, second);
  if (!difference) return null;
  const { headers: hdrs, payload } = encodeEvent(first);
  // Both ids: a message of the first event alone isn't a duplicate of the pair.
  hdrs.set(ID_HEADER, [first.id, second.id].join(ID_SEPARATOR));
  hdrs.set(SECOND_HEADER, JSON.stringify(difference));
  return { subject: subjectOf(first, second.type), headers: hdrs, payload };
}

/**
 * The events of a message, one or two.
 * @throws Error if {@link encodeEvent} or {@link encodePair} didn't create the message.
 */
export function decodeEvents(msg: Pick<Msg, 'headers' | 'data'>): BusEvent[] {
  const meta: unknown = JSON.parse(msg.headers?.get(META_HEADER) || 'null');
  if (!isMeta(meta)) throw new Error(`its header ${META_HEADER} doesn't describe an event`);
  const first = { ...meta, body: meta.body === null ? null : utf8.decode(msg.data) };
  const difference = msg.headers?.get(SECOND_HEADER);
  if (!difference) return [first];
  return [first, secondOf(first, JSON.parse(difference) as Parameters<typeof secondOf>[1])];
}

/** The ids of the events of a message, from the headers. */
export function eventIdsOf({ headers: hdrs }: Pick<Msg, 'headers'>): string[] {
  return (hdrs?.get(ID_HEADER) ?? '').split(ID_SEPARATOR);
}

/** The first event without its body, from the headers; `null` if the message isn't an event. */
export function eventMetaOf(msg: Pick<Msg, 'headers'>): Meta | null {
  try {
    const meta: unknown = JSON.parse(msg.headers?.get(META_HEADER) || 'null');
    return isMeta(meta) ? meta : null;
  } catch {
    return null;
  }
}

type Meta = Omit<BusEvent, 'body'> & { body?: null };

const REQUIRED = ['id', 'type', 'accountId', 'formId', 'timestamp'] as const satisfies (keyof BusEvent)[];

function isMeta(value: unknown): value is Meta {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return REQUIRED.every((key) => typeof fields[key] === 'string');
}

/** A delivered message with the facts that JetStream encodes in its reply subject. */
export interface Delivery {
  msg: Msg;
  /** The sequence in the stream. */
  seq: number;
  /** The sequence in the consumer, which counts every delivery. */
  deliverySeq: number;
  /** How often the consumer has delivered this message, including this time. */
  deliveries: number;
  /** How many messages the consumer had not delivered yet after this one. */
  pending: number;
}

/**
 * `null` if the message isn't one of the stream, such as a heartbeat or another notice about a
 * pull.
 */
export function deliveryOf(msg: Msg): Delivery | null {
  if (!msg.reply?.startsWith('$JS.ACK.')) return null;
  const tokens = msg.reply.split('.');
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.streamSeq.deliverySeq.time.pending[.…]:
  // older servers omit the parts in brackets.
  const at = tokens.length === 9 ? 5 : 7;
  const [deliveries = NaN, seq = NaN, deliverySeq = NaN, , pending = NaN] = tokens
    .slice(at - 1, at + 4)
    .map(Number);
  return { msg, seq, deliverySeq, deliveries, pending };
}
