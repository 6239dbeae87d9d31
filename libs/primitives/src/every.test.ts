import { every, type Job } from './every.ts';

describe('a periodic job', () => {
  const T0 = Date.parse('2026-11-21T10:00:00.000Z');
  let runs: number[] = [];
  let running: Job | undefined;

  beforeEach(() => void jest.useFakeTimers({ now: T0 }));
  afterEach(async () => {
    await running?.stop();
    jest.useRealTimers();
    runs = [];
  });

  /** `runs` are milliseconds since the start. */
  function start(
    work: () => Promise<void> = async () => {},
    onError: (error: unknown) => void = () => {},
  ): Job {
    running = every({
      intervalMs: 1000,
      now: Date.now,
      onError,
      work() {
        runs.push(Date.now() - T0);
        return work();
      },
    });
    running.start();
    return running;
  }

  it('runs immediately, and again one interval after each end', async () => {
    start(() => new Promise((resolve) => setTimeout(resolve, 100)));
    await jest.advanceTimersByTimeAsync(2500);
    expect(runs).toEqual([0, 1100, 2200]);
  });

  it('starts with a delay', async () => {
    running = every({
      intervalMs: 1000,
      now: Date.now,
      onError: () => {},
      work: async () => void runs.push(Date.now() - T0),
    });
    running.start(300);
    await jest.advanceTimersByTimeAsync(1500);
    expect(runs).toEqual([300, 1300]);
  });

  it('runs at added times, never early, and combines close ones', async () => {
    const each = start();
    await jest.advanceTimersByTimeAsync(100);
    for (const time of [301, 502, 303]) each.runAt(T0 + time);
    await jest.advanceTimersByTimeAsync(1500);
    expect(runs).toEqual([0, 305, 505, 1505]);
  });

  it('runs again after a run if a time is added during it', async () => {
    const each = start(() => new Promise((resolve) => setTimeout(resolve, 100)));
    await jest.advanceTimersByTimeAsync(10);
    each.runAt(T0 + 50);
    await jest.advanceTimersByTimeAsync(500);
    // No timer is shorter than a millisecond.
    expect(runs).toEqual([0, 101]);
  });

  it('ignores added times after the next regular run', async () => {
    const each = start();
    await jest.advanceTimersByTimeAsync(10);
    each.runAt(T0 + 60_000);
    await jest.advanceTimersByTimeAsync(1500);
    expect(runs).toEqual([0, 1000]);
  });

  it('runs at added times after the clock was set forward', async () => {
    const each = start();
    await jest.advanceTimersByTimeAsync(10);
    const setBy = 3_600_000;
    jest.setSystemTime(Date.now() + setBy);
    each.runAt(Date.now() + 100);
    await jest.advanceTimersByTimeAsync(200);
    expect(runs).toEqual([0, setBy + 110]);
  });

  it('continues after an error and reports it', async () => {
    const errors: unknown[] = [];
    start(
      () => Promise.reject(new Error('no')),
      (error) => errors.push(error),
    );
    await jest.advanceTimersByTimeAsync(1500);
    expect(runs).toEqual([0, 1000]);
    expect(errors).toEqual([new Error('no'), new Error('no')]);
  });

  it('waits for the current run when it is stopped', async () => {
    let ended = false;
    const each = start(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ended = true;
    });
    await jest.advanceTimersByTimeAsync(50);
    const stopped = each.stop();
    await jest.advanceTimersByTimeAsync(5000);
    await stopped;
    expect(ended).toBe(true);
    expect(runs).toEqual([0]);
  });
});
