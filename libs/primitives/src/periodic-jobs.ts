import { every, type Job } from './every.ts';
import type { Clock, Logger } from './types.ts';

/** Creates a periodic job. `name`: what failed when it fails, for the log. */
export type CreateJob = (name: string, intervalMs: number, work: () => Promise<void>) => Job;

/**
 * After this long without a failure, the next one is logged. A run that finds nothing to do can
 * succeed between two attempts that fail.
 */
const CALM_MS = 60_000;

/**
 * Jobs that log a failure as `event`, unless the same one was less than a minute ago, and run again
 * after their interval.
 */
export function periodicJobs({
  event,
  log,
  now,
}: {
  event: string;
  log: Pick<Logger, 'warn'>;
  now: Clock;
}): CreateJob {
  return (name, intervalMs, work) => {
    let last: { reason: unknown; at: number } | undefined;
    return every({
      intervalMs,
      now,
      work,
      onError(error) {
        const failure = { reason: reasonOf(error), at: now() };
        const isNew = !last || failure.reason !== last.reason || failure.at - last.at > CALM_MS;
        if (isNew) log.warn({ event, what: name, err: error }, `${name} failed; retrying`);
        last = failure;
      },
    });
  };
}

/** Of a code and a message, the one that is the same at each failure with the same reason. */
function reasonOf(error: unknown): unknown {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  return code ?? message;
}
