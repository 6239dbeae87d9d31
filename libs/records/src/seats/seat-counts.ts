import type { AnyDocument, Collection } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import type { FormRecord } from '../collections/form.ts';
import { ACCEPTED, type SubmissionRecord } from '../collections/submission.ts';

/**
 * How long the capacity and the number of earlier submissions are reused. Deletions only ever raise
 * the capacity.
 */
const CAPACITY_MS = 1_000;
/**
 * How long after the limit was set other processes may not know of it and add to the earlier
 * submissions.
 */
const SPREADING_MS = 5_000;
/** An expensive count is reused for this many times its duration. */
export const COUNT_REST = 100;
const DIGITS = 8;

export type LimitedForm = Pick<FormRecord, '_id' | 'settings' | 'limitedSince'>;

/** What this process knows of the seats of a form. */
export interface State {
  /** The maximum that the rest was computed for. */
  max: number;
  /** The lowest seat above all that this process has seen taken. */
  next?: number;
  /** Seats whose submissions are being stored by this process. */
  taking: Map<number, Promise<unknown>>;
  /** Milliseconds since the epoch. */
  fullUntil: number;
  capacity?: { value: Promise<number>; until: number };
  earlier?: { value: Promise<number>; until: number };
  /** The end of the queue of those who look for a freed seat. */
  search: Promise<unknown>;
}

/** Reads from the store how many seats a form has and which are taken. */
export function createSeatCounts({
  submissions,
  now,
}: {
  submissions: Pick<Collection<SubmissionRecord, AnyDocument>, 'find' | 'count'>;
  now: Clock;
}) {
  /** The number of taken seats in a range. */
  const taken = (formId: string, from: number, to: number) =>
    from > to
      ? 0
      : submissions.count({ seat: { $gte: storedSeat(formId, from), $lte: storedSeat(formId, to) } });

  async function highest(formId: string): Promise<number> {
    const [last] = await submissions.find(
      { seat: { $gte: `${formId}|`, $lt: `${formId}}` } },
      { sort: ['-seat'], limit: 1 },
    );
    return last?.seat === undefined ? 0 : numberOf(last.seat);
  }

  /** The accepted submissions without a seat, which are from before the limit. */
  function earlierOf(form: LimitedForm, state: State): Promise<number> {
    if (state.earlier && state.earlier.until > now()) return state.earlier.value;
    const { _id: formId, limitedSince } = form;
    const startedAt = now();
    const since = limitedSince === undefined ? undefined : Date.parse(limitedSince) + SPREADING_MS;
    const value = submissions.count({
      formId,
      seat: null,
      'metadata.submittedVia': { $in: ['web', 'inbound'] },
      ...ACCEPTED,
      ...(since !== undefined && { createdAt: { $lt: isoTime(since) } }),
    });
    const entry = { value, until: startedAt + CAPACITY_MS };
    state.earlier = entry;
    void value.then(
      () => {
        const isKnownEverywhere = since === undefined || startedAt > since;
        if (isKnownEverywhere) entry.until = now() + Math.max(CAPACITY_MS, COUNT_REST * (now() - startedAt));
      },
      () => (entry.until = 0),
    );
    return value;
  }

  /**
   * The highest seat that may be taken. It is lower than the maximum by the earlier submissions
   * and, if the maximum was lowered, by the seats above: with `n` as the result, `n` plus the
   * number of taken seats above `n` is what the form may have.
   */
  function capacityOf(form: LimitedForm, state: State): Promise<number> {
    if (state.capacity && state.capacity.until > now()) return state.capacity.value;
    const value = readCapacity(form, state);
    const entry = { value, until: now() + CAPACITY_MS };
    state.capacity = entry;
    value.catch(() => (entry.until = 0));
    return value;
  }

  async function readCapacity(form: LimitedForm, state: State): Promise<number> {
    const [earlier, top] = await Promise.all([earlierOf(form, state), highest(form._id)]);
    const allowed = state.max - earlier;
    state.next = Math.max(state.next ?? 1, top + 1);
    if (top <= allowed) return allowed;
    let [low, high] = [0, Math.max(0, allowed)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (middle + (await taken(form._id, middle + 1, top)) <= allowed) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return { taken, highest, capacityOf };
}

/** The seat as a submission stores it. */
export const storedSeat = (formId: string, seat: number): string =>
  `${formId}|${String(seat).padStart(DIGITS, '0')}`;

const numberOf = (seat: string): number => Number(seat.slice(seat.indexOf('|') + 1));
