import { createTurns } from './turns.ts';

describe('work that takes turns', () => {
  it('runs so many at once, the others in their order, and refuses what would wait too long.', async () => {
    const inTurn = createTurns({ atOnce: 2, maxWaiting: 2 });
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      inTurn(() => {
        begun.push(n);
        return new Promise<void>((resolve) => void ends.push(resolve));
      });
    const all = [work(1), work(2), work(3), work(4)];
    await expect(work(5)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(begun).toEqual([1, 2]);
    ends[1]?.();
    await all[1];
    expect(begun).toEqual([1, 2, 3]);
    ends[0]?.();
    await all[0];
    expect(begun).toEqual([1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(all);
    await inTurn(async () => void begun.push(6));
    expect(begun.at(-1)).toBe(6);
  });

  it('goes on after a failure.', async () => {
    const inTurn = createTurns({ atOnce: 1, maxWaiting: 1 });
    const failing = inTurn(() => Promise.reject(new Error('no')));
    const next = inTurn(async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
