import type { BusEvent, EventType, FormMember } from '@svcforms/contracts';
import type { FrameFormat } from './frame.ts';

/** A position in the event log. */
export interface Offset {
  epoch: string;
  seq: number;
}

export interface Subscriber extends FormMember {
  accountId: string;
  types: ReadonlySet<EventType>;
  format: FrameFormat;
  /** The last message that the subscriber has processed. */
  offset: Offset;
  /** Receives the frames of its account and types, in the order of the log. */
  deliver(offset: Offset, frame: string): void;
  /**
   * The hub has removed the subscriber because the subscription ended or a frame couldn't be
   * rendered. The subscriber has all messages up to `offset` and continues from the log.
   */
  detached(offset: Offset): void;
}

/** The subscribers of a hub, by account. */
export class Subscribers {
  readonly #byAccount = new Map<string, Set<Subscriber>>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(subscriber: Subscriber): void {
    const others = this.#byAccount.get(subscriber.accountId);
    if (others) others.add(subscriber);
    else this.#byAccount.set(subscriber.accountId, new Set([subscriber]));
    this.#count += 1;
  }

  /** Returns false if the subscriber isn't there. */
  remove(subscriber: Subscriber): boolean {
    const others = this.#byAccount.get(subscriber.accountId);
    if (!others?.delete(subscriber)) return false;
    this.#count -= 1;
    if (others.size === 0) this.#byAccount.delete(subscriber.accountId);
    return true;
  }

  ofAccount(accountId: string): Iterable<Subscriber> {
    return this.#byAccount.get(accountId) ?? [];
  }

  /** Whether a subscriber of the event's account wants its type in this format. */
  want({ accountId, type }: BusEvent, wanted: FrameFormat): boolean {
    for (const { types, format } of this.ofAccount(accountId))
      if (format === wanted && types.has(type)) return true;
    return false;
  }

  /** Whether a subscriber of the event's account and type sees only some forms. */
  areLimited({ accountId, type }: BusEvent): boolean {
    for (const { types, memberOf } of this.ofAccount(accountId))
      if (memberOf !== undefined && types.has(type)) return true;
    return false;
  }

  *all(): Iterable<Subscriber> {
    for (const subscribers of this.#byAccount.values()) yield* subscribers;
  }
}
