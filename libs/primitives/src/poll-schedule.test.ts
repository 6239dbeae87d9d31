import { createPollSchedule, LOOK_AHEAD_MS } from './poll-schedule.ts';

describe('a poll schedule', () => {
  const T0 = Date.parse('2026-11-21T10:00:00.000Z');
  let polls: number[] = [];

  beforeEach(() => void jest.useFakeTimers({ now: T0 }));
  afterEach(() => {
    jest.useRealTimers();
    polls = [];
  });

  /** Runs a job every 100 ms for `ms` milliseconds; `dueAt` is what each poll finds. */
  async function run(
    schedule: ReturnType<typeof createPollSchedule>,
    ms: number,
    dueAt: () => number | undefined = () => undefined,
  ): Promise<void> {
    for (let n = 0; n < ms; n += 100) {
      await schedule
        .pollIfDue(async () => {
          polls.push(Date.now() - T0);
          const at = dueAt();
          return at === undefined ? undefined : new Date(at).toISOString();
        })
        .catch(() => {});
      jest.advanceTimersByTime(100);
    }
  }

  const newSchedule = () => createPollSchedule({ now: Date.now });

  it('polls every five seconds while there is nothing to find', async () => {
    await run(newSchedule(), 12_000);
    expect(polls).toEqual([0, 5000, 10_000]);
  });

  it('polls in each run while it finds work that is due', async () => {
    await run(newSchedule(), 500, () => (polls.length < 3 ? Date.now() : undefined));
    expect(polls).toEqual([0, 100, 200]);
  });

  it('polls in the next run after it found work at a time that it cannot read', async () => {
    const schedule = newSchedule();
    for (let n = 0; n < 2; n++) {
      await schedule.pollIfDue(async () => {
        polls.push(n);
        return 'soon';
      });
    }
    expect(polls).toEqual([0, 1]);
  });

  it('polls when work becomes due that it found before', async () => {
    await run(newSchedule(), 4000, () => (polls.length === 1 ? T0 + 3050 : undefined));
    expect(polls).toEqual([0, 3100]);
  });

  it('polls in the next run after it was woken, also during a poll', async () => {
    const schedule = newSchedule();
    await run(schedule, 300);
    schedule.wake();
    await run(schedule, 300);
    await schedule.pollIfDue(async () => undefined);
    expect(polls).toEqual([0, 300]);

    schedule.wake();
    await schedule.pollIfDue(async () => {
      schedule.wake();
      return undefined;
    });
    await run(schedule, 300);
    expect(polls).toEqual([0, 300, 600]);
  });

  it('polls again after a poll that failed', async () => {
    await run(newSchedule(), 300, () => {
      if (polls.length === 1) throw new Error('the store is unavailable');
      return undefined;
    });
    expect(polls).toEqual([0, 100]);
  });

  it.each([
    ['forward', 3600_000],
    ['back', -3600_000],
  ])('polls when the clock was set %s', async (_, ms) => {
    const schedule = newSchedule();
    await run(schedule, 300);
    jest.setSystemTime(Date.now() + ms);
    await run(schedule, 300);
    expect(polls).toEqual([0, 300 + ms]);
  });

  it('looks further ahead than until the next poll of a job that runs once a second', () => {
    expect(LOOK_AHEAD_MS).toBeGreaterThan(5000 + 1000);
  });
});
