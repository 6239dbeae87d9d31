import type { Clock } from './types.ts';

/**
 * Requested wake-ups are rounded up to a multiple of this, so that there are few timers and none
 * fires early.
 */
const ALARM_GRAIN_MS = 5;

/** A periodic job. */
export interface Job {
  /** Schedules the first run, `afterMs` milliseconds from now. Default 0. */
  start(afterMs?: number): void;
  /** Adds a run at `time` (milliseconds since the epoch) if that is before the next regular run. */
  runAt(time: number): void;
  /** Adds a run `afterMs` milliseconds from now if that is before the next regular run. */
  runAfter(afterMs: number): void;
  /** Starts no more runs and waits for the current one. */
  stop(): Promise<void>;
}

/**
 * Runs `work` periodically: `intervalMs` milliseconds after the end of the run before, and at the
 * times that are added. Runs never overlap. An error goes to `onError` and doesn't stop the job.
 * Setting the clock neither delays nor skips a run.
 */
export function every(options: {
  intervalMs: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  now: Clock;
}): Job {
  const { intervalMs, work, onError, now } = options;
  const elapsed = () => performance.now();
  /** These and `nextRun` are times of `elapsed`. */
  const alarms = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let nextRun = Infinity;
  let running: Promise<void> | undefined;
  let stopped = false;

  function schedule(time: number): void {
    clearTimeout(timer);
    nextRun = time;
    timer = setTimeout(run, Math.max(0, Math.ceil(time - elapsed())));
  }

  function run(): void {
    const began = elapsed();
    for (const alarm of alarms) if (alarm <= began) alarms.delete(alarm);
    running = work()
      .catch(onError)
      .then(() => {
        running = undefined;
        if (!stopped) schedule(Math.min(elapsed() + intervalMs, ...alarms));
      });
  }

  function runAfter(afterMs: number): void {
    if (stopped || afterMs > intervalMs) return;
    const alarm = Math.ceil((elapsed() + afterMs) / ALARM_GRAIN_MS) * ALARM_GRAIN_MS;
    alarms.add(alarm);
    if (!running && alarm < nextRun) schedule(alarm);
  }

  return {
    start: (afterMs = 0) => schedule(elapsed() + afterMs),
    runAt: (time) => runAfter(time - now()),
    runAfter,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
