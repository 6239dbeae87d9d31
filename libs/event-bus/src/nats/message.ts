import { headers, type Msg, type MsgHdrs } from '@nats-io/transport-node';
import type { BusEvent } from '@svcforms/contracts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** By this the server recognises a message that it has stored already. */
const ID_HEADER = 'Nats-Msg-Id';
/** Carries the event without its body, as JSON; the payload is the body itself, byte for byte. */
const META_HEADER = 'Svc-Event';

export function encodeEvent(event: BusEvent): { headers: MsgHdrs; payload: string } {
  const { body, ...meta } = event;
  const hdrs = headers();
  hdrs.set(ID_HEADER, event.id);
  hdrs.set(META_HEADER, JSON.stringify(body === null ? { ...meta, body } : meta));
  return { headers: hdrs, payload: body ?? '' };
}

/** @throws Error when this isn't a message that {@link encodeEvent} made. */
export function decodeEvent(msg: Pick<Msg, 'headers' | 'data'>): BusEvent {
  const meta: unknown = JSON.parse(msg.headers?.get(META_HEADER) || 'null');
  if (!isMeta(meta)) throw new Error(`its header ${META_HEADER} doesn't describe an event`);
  return { ...meta, body: meta.body === null ? null : utf8.decode(msg.data) };
}

/** What the headers say about an event; `null` for what is no event. */
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

/** What JetStream says about a message that it hands out, in the subject by which the message is answered. */
export interface Delivery {
  msg: Msg;
  /** In the stream. */
  seq: number;
  /** In the consumer: counts every handing out. */
  deliverySeq: number;
  /** How often the consumer has handed this message out, this time included. */
  deliveries: number;
}

/** `null` for what isn't a message of the stream: heartbeats and other notices about a pull. */
export function deliveryOf(msg: Msg): Delivery | null {
  if (!msg.reply?.startsWith('$JS.ACK.')) return null;
  const tokens = msg.reply.split('.');
  // $JS.ACK.[domain.account.]stream.consumer.deliveries.streamSeq.deliverySeq.…: the two in brackets came later.
  const at = tokens.length === 9 ? 5 : 7;
  const [deliveries, seq, deliverySeq] = tokens.slice(at - 1, at + 2).map(Number) as [number, number, number];
  return { msg, seq, deliverySeq, deliveries };
}
