import { poll } from './poll.ts';

describe('poll', () => {
  it('gives the first value that is one', async () => {
    const values = [null, undefined, false, 0, 1];
    expect(await poll(() => values.shift(), { everyMs: 1 })).toBe(0);
  });

  it('says what did not come in time', async () => {
    const waiting = poll(() => null, { timeoutMs: 30, everyMs: 1, what: 'the last one' });
    await expect(waiting).rejects.toThrow('the last one did not come within 30 ms');
  });

  it('ends at once when the probe throws', async () => {
    const waiting = poll(() => Promise.reject(new Error('broken')));
    await expect(waiting).rejects.toThrow('broken');
  });
});
