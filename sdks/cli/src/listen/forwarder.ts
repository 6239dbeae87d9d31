import { setTimeout as sleep } from 'node:timers/promises';
import { forward, isSuccess, type ForwardedEvent, type Outcome, type Target } from './forward.ts';
import type { Reporter } from './reporter.ts';

/** The most failed events that are kept for a retry. */
const MAX_FAILED = 1_000;
const WAIT_MS = 1_000;

interface Entry {
  event: ForwardedEvent;
  position: string;
}

export interface Forwarder {
  /** Resolves when the endpoint has responded or the failure is recorded. */
  forward(entry: Entry): Promise<void>;
  /** Sends the last failed event again, or the last event if none failed. */
  retryLast(): Promise<void>;
  /** Sends all failed events again, oldest first. */
  retryFailed(): Promise<void>;
}

interface ForwarderDeps {
  target: Target;
  reporter: Reporter;
  /** Retry each event until the URL responds. */
  waits: boolean;
  /** Called once when events wait. */
  onWaiting: (error: string) => void;
  note: (line: string) => void;
  signal: AbortSignal;
}

/** Sends one request at a time, so that the endpoint gets events in the order of the log. */
export function createForwarder(deps: ForwarderDeps): Forwarder {
  const { target, reporter, waits, onWaiting, note, signal } = deps;
  let turn: Promise<void> = Promise.resolve();
  let last: Entry | undefined;
  let failed: Entry[] = [];

  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work);
    return turn;
  }

  async function send(entry: Entry, isRetry: boolean): Promise<void> {
    let outcome = await forward(entry.event, target);
    if (waits && outcome.status === null && !isRetry) outcome = await untilResponse(entry, outcome);
    // Without a response because the program ends: the next start forwards it again.
    if (waits && outcome.status === null && signal.aborted) return;
    reporter.forwarded(entry.event, entry.position, outcome, isRetry);
    failed = failed.filter(({ event }) => event.id !== entry.event.id);
    if (!isSuccess(outcome)) failed = [...failed, entry].slice(-MAX_FAILED);
    last = entry;
  }

  async function untilResponse({ event }: Entry, first: Outcome): Promise<Outcome> {
    let outcome = first;
    onWaiting(outcome.error ?? '');
    while (outcome.status === null && !signal.aborted) {
      await sleep(WAIT_MS, undefined, { signal }).catch(() => {});
      if (!signal.aborted) outcome = await forward(event, target);
    }
    return outcome;
  }

  return {
    forward: (entry) => inTurn(() => send(entry, false)),
    retryLast: () =>
      inTurn(async () => {
        const entry = failed.at(-1) ?? last;
        if (entry) await send(entry, true);
        else note('There is no event to retry yet.');
      }),
    retryFailed: () =>
      inTurn(async () => {
        if (failed.length === 0) note('No event has failed.');
        for (const entry of failed) {
          if (!signal.aborted) await send(entry, true);
        }
      }),
  };
}
