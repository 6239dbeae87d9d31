import type { Job } from './every.ts';
import { periodicJobs } from './periodic-jobs.ts';

describe('a periodic job that logs', () => {
  const store = Object.assign(new Error('unavailable'), { code: 'UNAVAILABLE' });
  const disk = Object.assign(new Error('full'), { code: 'DISK_FULL' });
  let job: Job | undefined;

  beforeEach(() => void jest.useFakeTimers());
  afterEach(async () => {
    await job?.stop();
    jest.useRealTimers();
  });

  /** Runs the job once for each outcome, a second apart. Returns the errors that it logged. */
  async function logged(outcomes: readonly (Error | null)[], intervalMs = 1000): Promise<unknown[]> {
    const lines: unknown[][] = [];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    const left = [...outcomes];
    job = periodicJobs({ event: 'notes.waiting', log, now: Date.now })('note sweep', intervalMs, async () => {
      const outcome = left.shift();
      if (outcome) throw outcome;
    });
    job.start();
    await jest.advanceTimersByTimeAsync(intervalMs * outcomes.length);
    expect(left).toEqual([]);
    for (const [fields, message] of lines) {
      expect(fields).toMatchObject({ event: 'notes.waiting', what: 'note sweep' });
      expect(message).toBe('note sweep failed; retrying');
    }
    return lines.map(([fields]) => (fields as { err: unknown }).err);
  }

  it('logs one line per outage and keeps running', async () => {
    const calm = Array.from({ length: 61 }, () => null);
    expect(await logged([store, store, store, ...calm, store, store])).toEqual([store, store]);
  });

  it('logs one line while runs without work succeed between the attempts', async () => {
    expect(await logged([store, null, store, null, store])).toEqual([store]);
  });

  it('logs a failure for another reason at once', async () => {
    expect(await logged([store, store, disk, disk])).toEqual([store, disk]);
  });

  it('logs each failure of a job that runs once an hour', async () => {
    expect(await logged([disk, disk], 3_600_000)).toEqual([disk, disk]);
  });
});
