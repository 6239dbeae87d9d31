import { every, type Clock, type Job, type Logger } from '@svcforms/primitives';

/** Creates a periodic job. `name`: what failed when it fails, for the log. */
export type CreateJob = (name: string, intervalMs: number, work: () => Promise<void>) => Job;

/** Jobs that log the first of consecutive failures and run again after their interval. */
export function periodicJobs({ log, now }: { log: Pick<Logger, 'warn'>; now: Clock }): CreateJob {
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
        if (!isFailing)
          log.warn({ event: 'dispatcher.waiting', what: name, err: error }, `${name} failed; retrying`);
        isFailing = true;
      },
    });
  };
}
