import { every, type Job } from './every.ts';
import type { Clock, Logger } from './types.ts';

/** Creates a periodic job. `name`: what failed when it fails, for the log. */
export type CreateJob = (name: string, intervalMs: number, work: () => Promise<void>) => Job;

/**
 * Jobs that log the first of consecutive failures, as `event`, and run again after their interval.
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
    let isFailing = false;
    return every({
      intervalMs,
      now,
      async work() {
        await work();
        isFailing = false;
      },
      onError(error) {
        if (!isFailing) log.warn({ event, what: name, err: error }, `${name} failed; retrying`);
        isFailing = true;
      },
    });
  };
}
