import type { BusEvent } from '@svcforms/contracts';
import type { EventLog } from './log.ts';
import type { LoggedMessage } from './read.ts';

/**
 * The state that the consumers of one durable name share: which messages are delivered, and the
 * sequence up to which all are acknowledged. Only that sequence is stored, so unacknowledged
 * messages are delivered again after a restart.
 */
export interface Durable {
  /**
   * The next messages for one consumer: first those that were given back, then new ones. Messages
   * that it doesn't want count as acknowledged.
   */
  take(count: number, wants?: (event: BusEvent) => boolean): LoggedMessage[];
  /**
   * Whether the message was appended after this process opened the log, and was never given back.
   */
  isNew(seq: number): boolean;
  acknowledge(batch: readonly LoggedMessage[]): void;
  giveBack(batch: readonly LoggedMessage[]): void;
  /** Every message up to this sequence is acknowledged. */
  acknowledged(): number;
}

export function createDurable(log: Pick<EventLog, 'read' | 'bounds'>, acknowledged: number): Durable {
  let newest = acknowledged;
  /** An earlier process may have delivered messages up to this sequence. */
  const inherited = log.bounds().last;
  const givenBack: LoggedMessage[] = [];
  const repeated = new Set<number>();
  /** Delivered at least once and not acknowledged. */
  const open = new Set<number>();
  return {
    take(count, wants = () => true) {
      const room = count - givenBack.length;
      if (room <= 0) return givenBack.splice(0, count);
      for (;;) {
        const { messages: read, upTo } = log.read(newest, room);
        const messages = read.filter(({ event }) => wants(event));
        for (const { seq } of messages) open.add(seq);
        const isEnd = upTo === newest;
        newest = upTo;
        // Erased or unwanted messages alone aren't the end of the log.
        if (messages.length > 0 || isEnd) return [...givenBack.splice(0, count), ...messages];
      }
    },
    acknowledge(batch) {
      for (const { seq } of batch) {
        open.delete(seq);
        repeated.delete(seq);
      }
    },
    isNew: (seq) => seq > inherited && !repeated.has(seq),
    giveBack(batch) {
      givenBack.push(...batch);
      for (const { seq } of batch) repeated.add(seq);
    },
    acknowledged: () => Math.min(newest, ...[...open].map((seq) => seq - 1)),
  };
}
