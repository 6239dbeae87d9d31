import type { Clock } from './types.ts';

/** Requested wake-ups are rounded up to a multiple of this, so that there are few timers and none fires early. */
const ALARM_GRAIN_MS = 5;

/** A periodic job. */
export interface Job {
  /** Schedules the first run, `afterMs` milliseconds from now. Default 0. */
  start(afterMs?: number): void;
  /** Adds a run at `time` (milliseconds since the epoch) if that is before the next regular run. */
  runAt(time: number): void;
  /** Starts no more runs and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically: `intervalMs` milliseconds after the end of the run before, and at the times that `runAt` adds. Runs
 * never overlap. An error goes to `onError` and doesn't stop the job.
 */
export function every(options: {
  intervalMs: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  now: Clock;
}): Job {
  const { intervalMs, work, onError, now } = options;
  const alarms = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let nextRun = Infinity;
  let running: Promise<void> | undefined;
  let stopped = false;

  function schedule(time: number): void {
    clearTimeout(timer);
    nextRun = time;
    timer = setTimeout(run, Math.max(0, time - now()));
  }

  function run(): void {
    const began = now();
    for (const alarm of alarms) if (alarm <= began) alarms.delete(alarm);
    running = work()
      .catch(onError)
      .then(() => {
        running = undefined;
        if (!stopped) schedule(Math.min(now() + intervalMs, ...alarms));
      });
  }

  return {
    start: (afterMs = 0) => schedule(now() + afterMs),
    runAt(time) {
      if (stopped || time > now() + intervalMs) return;
      const alarm = Math.ceil(time / ALARM_GRAIN_MS) * ALARM_GRAIN_MS;
      alarms.add(alarm);
      if (!running && alarm < nextRun) schedule(alarm);
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
