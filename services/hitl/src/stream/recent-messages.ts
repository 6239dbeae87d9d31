import type { BusEvent } from '@svcforms/contracts';

const MAX_MESSAGES = 2_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;

export interface StreamMessage {
  event: BusEvent;
  /** Sequence number in the event log. */
  seq: number;
}

const sizeOf = ({ event }: StreamMessage) => (event.body?.length ?? 0) + 256;

/**
 * The latest messages of the event log after the sequence number `from`, so that streams that
 * reconnect needn't read the log.
 */
export class RecentMessages {
  #from: number;
  #messages: StreamMessage[] = [];
  #characters = 0;

  constructor(from: number) {
    this.#from = from;
  }

  add(message: StreamMessage): void {
    this.#messages.push(message);
    this.#characters += sizeOf(message);
    let dropped = 0;
    while (this.#messages.length - dropped > MAX_MESSAGES || this.#characters > MAX_CHARACTERS) {
      const oldest = this.#messages[dropped];
      if (!oldest) break;
      dropped += 1;
      this.#characters -= sizeOf(oldest);
      this.#from = oldest.seq;
    }
    // One slice instead of a shift per message, each of which would move the whole array.
    if (dropped > 0) this.#messages = this.#messages.slice(dropped);
  }

  /** Returns the messages after `seq`; `null` when some of them are no longer kept. */
  after(seq: number): StreamMessage[] | null {
    if (seq < this.#from) return null;
    let first = this.#messages.length;
    while (first > 0 && (this.#messages[first - 1]?.seq ?? 0) > seq) first -= 1;
    return this.#messages.slice(first);
  }

  /** Removes the messages that `isErased` selects. */
  remove(isErased: (event: BusEvent) => boolean): void {
    const left = this.#messages.filter(({ event }) => !isErased(event));
    if (left.length === this.#messages.length) return;
    this.#messages = left;
    this.#characters = left.reduce((sum, message) => sum + sizeOf(message), 0);
  }
}
