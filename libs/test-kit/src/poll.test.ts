import { poll } from './poll.ts';

describe('poll', () => {
  it('returns the first value that is not null, undefined or false', async () => {
    const values = [null, undefined, false, 0, 1];
    expect(await poll(() => values.shift(), { everyMs: 1 })).toBe(0);
  });

  it('names what did not happen before the deadline', async () => {
    const waiting = poll(() => null, { timeoutMs: 30, everyMs: 1, what: 'the last one' });
    await expect(waiting).rejects.toThrow('timed out after 30 ms waiting for the last one');
  });

  it('fails immediately when the probe throws', async () => {
    const waiting = poll(() => Promise.reject(new Error('broken')));
    await expect(waiting).rejects.toThrow('broken');
  });
});
