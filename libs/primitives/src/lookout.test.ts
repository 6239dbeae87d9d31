import { createLookout, LOOK_AHEAD_MS } from './lookout.ts';

describe('a lookout', () => {
  const T0 = Date.parse('2026-11-21T10:00:00.000Z');
  let searches: number[] = [];

  beforeEach(() => void jest.useFakeTimers({ now: T0 }));
  afterEach(() => {
    jest.useRealTimers();
    searches = [];
  });

  /** Runs a job every 100 ms for `ms` milliseconds; `dueAt` is what each search finds. */
  async function run(
    lookout: ReturnType<typeof createLookout>,
    ms: number,
    dueAt: () => number | undefined = () => undefined,
  ): Promise<void> {
    for (let n = 0; n < ms; n += 100) {
      await lookout
        .look(async () => {
          searches.push(Date.now() - T0);
          const at = dueAt();
          return at === undefined ? undefined : new Date(at).toISOString();
        })
        .catch(() => {});
      jest.advanceTimersByTime(100);
    }
  }

  const lookoutNow = () => createLookout({ now: Date.now });

  it('searches every five seconds while there is nothing to find', async () => {
    await run(lookoutNow(), 12_000);
    expect(searches).toEqual([0, 5000, 10_000]);
  });

  it('searches in each run while it finds work that is due', async () => {
    await run(lookoutNow(), 500, () => (searches.length < 3 ? Date.now() : undefined));
    expect(searches).toEqual([0, 100, 200]);
  });

  it('searches in the next run after it found work at a time that it cannot read', async () => {
    const lookout = lookoutNow();
    for (let n = 0; n < 2; n++) {
      await lookout.look(async () => {
        searches.push(n);
        return 'soon';
      });
    }
    expect(searches).toEqual([0, 1]);
  });

  it('searches when work becomes due that it found before', async () => {
    await run(lookoutNow(), 4000, () => (searches.length === 1 ? T0 + 3050 : undefined));
    expect(searches).toEqual([0, 3100]);
  });

  it('searches in the next run after it was woken, also during a search', async () => {
    const lookout = lookoutNow();
    await run(lookout, 300);
    lookout.wake();
    await run(lookout, 300);
    await lookout.look(async () => undefined);
    expect(searches).toEqual([0, 300]);

    lookout.wake();
    await lookout.look(async () => {
      lookout.wake();
      return undefined;
    });
    await run(lookout, 300);
    expect(searches).toEqual([0, 300, 600]);
  });

  it('searches again after a search that failed', async () => {
    await run(lookoutNow(), 300, () => {
      if (searches.length === 1) throw new Error('the store is unavailable');
      return undefined;
    });
    expect(searches).toEqual([0, 100]);
  });

  it.each([
    ['forward', 3600_000],
    ['back', -3600_000],
  ])('searches when the clock was set %s', async (_, ms) => {
    const lookout = lookoutNow();
    await run(lookout, 300);
    jest.setSystemTime(Date.now() + ms);
    await run(lookout, 300);
    expect(searches).toEqual([0, 300 + ms]);
  });

  it('looks further ahead than until the next search of a job that runs once a second', () => {
    expect(LOOK_AHEAD_MS).toBeGreaterThan(5000 + 1000);
  });
});
