import { AppError, isClosedAt, type Closing } from '@svcforms/contracts';
import { isDuplicateKey, type AnyDocument, type Collection } from '@svcforms/document-store';
import { setBounded, type Clock } from '@svcforms/primitives';
import { COUNT_REST, createSeatCounts, storedSeat, type LimitedForm, type State } from './seat-counts.ts';
import type { SubmissionRecord } from '../collections/submission.ts';

/**
 * How long a form counts as full before the store is asked again: somebody may delete submissions.
 */
const FULL_MS = 1_000;
/** The most forms whose state is kept. */
const MAX_FORMS = 1_000;

/**
 * The seats of forms with a maximum number of submissions. A seat is a number from 1, which a
 * submission stores with itself under a unique index. So accepting a submission and taking its seat
 * is one write: no crash can lose a seat, and no number of processes can take one twice.
 * ADR 0078
 */
export interface Seats {
  /** Whether the form accepts a submission now: not closed by its switch or date, and not full. */
  isOpen(form: LimitedForm): Promise<boolean>;
  /**
   * Stores an accepted submission in a free seat. Calls `commit` with the `seat` to store with it,
   * or with nothing if the form has no maximum; again with another one if somebody else has taken
   * it, which `commit` reports by rejecting with `DUPLICATE_KEY`. Only the maximum counts here, not
   * the switch or the date.
   * @throws AppError `FORM_CLOSED` if the form is full; whatever else `commit` rejects with
   */
  take<T>(form: LimitedForm, commit: (stored: { seat?: string }) => Promise<T>): Promise<T>;
}

/** The error for a submission to a closed form. */
export function formClosed(message = 'This form is closed'): AppError {
  return new AppError('FORM_CLOSED', message);
}

export function createSeats({
  submissions,
  now,
}: {
  submissions: Pick<Collection<SubmissionRecord, AnyDocument>, 'find' | 'count'>;
  now: Clock;
}): Seats {
  const states = new Map<string, State>();
  const { taken, highest, capacityOf } = createSeatCounts({ submissions, now });
  let latest = 0;

  /**
   * Drops cached state when the clock was set back, because its expiry times would be too far
   * ahead.
   */
  function checkClock(): void {
    const time = now();
    if (time < latest) {
      for (const state of states.values()) {
        state.fullUntil = 0;
        delete state.capacity;
        delete state.earlier;
      }
    }
    latest = time;
  }

  function stateOf(formId: string, max: number): State {
    checkClock();
    const known = states.get(formId);
    if (known?.max === max) return known;
    const state: State = { max, taking: known?.taking ?? new Map(), fullUntil: 0, search: Promise.resolve() };
    setBounded(states, formId, state, MAX_FORMS);
    return state;
  }

  /** Looks for a seat that is free although a higher one is taken. `null` if there is none. */
  async function search(form: LimitedForm, state: State): Promise<number | null> {
    // Pending submissions may be about to take the last seats.
    await Promise.allSettled(state.taking.values());
    if (state.fullUntil > now()) return null;
    const startedAt = now();
    const capacity = await capacityOf(form, state);
    let [low, high] = [1, capacity];
    if (capacity < 1 || (await taken(form._id, 1, capacity)) >= capacity) {
      state.fullUntil = now() + Math.max(FULL_MS, COUNT_REST * (now() - startedAt));
      return null;
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await taken(form._id, low, middle)) < middle - low + 1) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Runs one search at a time. */
  function searchInTurn(form: LimitedForm, state: State): Promise<number | null> {
    const result = state.search.then(() => search(form, state));
    state.search = result.catch(() => {});
    return result;
  }

  async function seatFor(form: LimitedForm, state: State): Promise<number | null> {
    if (state.fullUntil > now()) return null;
    const capacity = await capacityOf(form, state);
    const { next = 1 } = state;
    if (next > capacity) return searchInTurn(form, state);
    state.next = next + 1;
    return next;
  }

  return {
    async isOpen(form) {
      const { closing } = form.settings;
      if (isClosedAt(closing, now())) return false;
      const max = maxOf(closing);
      if (max === undefined) return true;
      const state = stateOf(form._id, max);
      if (state.fullUntil > now()) return false;
      const capacity = await capacityOf(form, state);
      return (state.next ?? 1) <= capacity || (await searchInTurn(form, state)) !== null;
    },

    async take(form, commit) {
      const max = maxOf(form.settings.closing);
      if (max === undefined) return commit({});
      const state = stateOf(form._id, max);
      for (;;) {
        const seat = await seatFor(form, state);
        if (seat === null) throw formClosed();
        const storing = commit({ seat: storedSeat(form._id, seat) });
        state.taking.set(seat, storing);
        try {
          return await storing;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          // Another process is ahead.
          state.next = Math.max(state.next ?? 1, (await highest(form._id)) + 1);
        } finally {
          state.taking.delete(seat);
        }
      }
    },
  };
}

const maxOf = (closing: Closing | undefined): number | undefined => closing?.maxSubmissions;
