/** A wake-up that was asked for is put off to the next multiple of this: few timers, and never too early. */
const ALARM_GRAIN_MS = 5;

export interface Repeating {
  /** The first run is then, in milliseconds: at once unless told otherwise. */
  start(afterMs?: number): void;
  /** Runs it then, if that is before the next regular run. Milliseconds since the epoch. */
  runAt(time: number): void;
  /** Starts no more runs, and waits for the one under way. */
  stop(): Promise<void>;
}

/**
 * Runs `work` again and again: from the start, then `everyMs` after the end of each run, and at times asked for in between; never twice
 * at once. What it throws goes to `onError`, and the next run comes as usual.
 */
export function repeat(options: {
  everyMs: number;
  work: () => Promise<void>;
  onError: (error: unknown) => void;
  /** Milliseconds since the epoch. */
  now: () => number;
}): Repeating {
  const { everyMs, work, onError, now } = options;
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
        if (!stopped) schedule(Math.min(now() + everyMs, ...alarms));
      });
  }

  return {
    start: (afterMs = 0) => schedule(now() + afterMs),
    runAt(time) {
      if (stopped || time > now() + everyMs) return;
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
