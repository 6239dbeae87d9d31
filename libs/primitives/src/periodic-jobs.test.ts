import type { Job } from './every.ts';
import { periodicJobs } from './periodic-jobs.ts';

describe('a periodic job that logs', () => {
  let job: Job | undefined;

  beforeEach(() => void jest.useFakeTimers());
  afterEach(async () => {
    await job?.stop();
    jest.useRealTimers();
  });

  it('logs one line per outage and keeps running', async () => {
    const lines: unknown[][] = [];
    const outcomes = ['fails', 'fails', 'fails', 'works', 'fails', 'fails'];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    job = periodicJobs({ event: 'notes.waiting', log, now: Date.now })('note sweep', 1000, async () => {
      if (outcomes.shift() === 'fails') throw new Error(`${outcomes.length} left`);
    });
    job.start();
    await jest.advanceTimersByTimeAsync(6500);
    expect(outcomes).toEqual([]);
    expect(lines).toEqual(
      ['5 left', '1 left'].map((message) => [
        { event: 'notes.waiting', what: 'note sweep', err: new Error(message) },
        'note sweep failed; retrying',
      ]),
    );
  });
});
