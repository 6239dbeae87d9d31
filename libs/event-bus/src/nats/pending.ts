import { nanos } from '@nats-io/transport-node';
import type { DeliveredMessage } from '../port/port.ts';
import { RETRY_PAUSE_MS } from '../port/unacked.ts';
import type { Link } from './link.ts';

/** The replies to a message that JetStream defines. */
export const ACK = '+ACK';
const IN_PROGRESS = '+WPI';
export const TERMINATE = '+TERM';
export const NACK = '-NAK';
export const NACK_WITH_DELAY = `-NAK ${JSON.stringify({ delay: nanos(RETRY_PAUSE_MS) })}`;

/** A message that was delivered to this process and has no final reply. */
export interface PendingMessage {
  /** What the handler gets: one for each event. */
  messages: DeliveredMessage[];
  seq: number;
  epoch: string;
  /**
   * Where the reply to the newest delivery goes. The rest of the message isn't kept, because that
   * is its body once more.
   */
  replyTo: string;
  /** The size of its payload. */
  bytes: number;
  /** By `performance.now()`. */
  receivedAt: number;
}

/** The pending messages of one consumer, received or in the handler. */
export interface PendingMessages {
  add: (entry: PendingMessage) => void;
  find: (seq: number) => PendingMessage | undefined;
  /** Sends a reply to a message, unless the stream was recreated since its delivery. */
  reply: (entry: PendingMessage, text: string) => void;
  /** Sends the final reply to these messages. */
  finish: (entries: readonly PendingMessage[], text: string) => void;
  /** Sends the final reply when the connection is up. */
  finishWhenUp: (entries: readonly PendingMessage[], text: string) => Promise<void>;
  /** Restarts the ack wait of all pending messages. */
  extendAckWait: () => void;
}

export function createPendingMessages(link: Link, stopping: AbortSignal): PendingMessages {
  const bySeq = new Map<number, PendingMessage>();

  /**
   * A reply names a message by its sequence only, so in a recreated stream it would reach another
   * message.
   */
  function reply({ epoch, replyTo }: PendingMessage, text: string): void {
    if (epoch === link.session()?.epoch) link.nc.publish(replyTo, text);
  }

  function finish(entries: readonly PendingMessage[], text: string): void {
    for (const entry of entries) {
      if (bySeq.get(entry.seq) === entry) bySeq.delete(entry.seq);
      reply(entry, text);
    }
  }

  return {
    add: (entry) => void bySeq.set(entry.seq, entry),
    find: (seq) => bySeq.get(seq),
    reply,
    finish,
    async finishWhenUp(entries, text) {
      // A reply during an outage would be lost.
      await link.nextSession(stopping);
      finish(entries, text);
    },
    extendAckWait() {
      for (const entry of bySeq.values()) reply(entry, IN_PROGRESS);
    },
  };
}
