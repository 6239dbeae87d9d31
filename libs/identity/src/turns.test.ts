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

  /** Work of several callers that ends when it is told to. */
  function openQueue(options: Parameters<typeof createTurns>[0]) {
    const inTurn = createTurns(options);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const add = (who: string) => {
      const result = inTurn(() => {
        begun.push(who);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }, who).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      return result;
    };
    const endNext = async () => {
      ends.shift()?.();
      await new Promise((resolve) => void setImmediate(resolve));
    };
    return { add, begun, endNext };
  }

  it('is shared among callers, however much one of them has.', async () => {
    const { add, begun, endNext } = openQueue({ atOnce: 1, maxWaiting: 100 });
    const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(add);
    for (let n = 0; n < 7; n++) await endNext();
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 7 }, () => 'done'));
  });

  it('of one caller is refused beyond their part, and others still get in.', async () => {
    const { add, begun, endNext } = openQueue({ atOnce: 1, maxWaiting: 100, maxWaitingEach: 2 });
    const [running, first, second, third, other] = ['a', 'a', 'a', 'a', 'b'].map(add);
    expect(await third).toBe('RATE_LIMITED');
    for (let n = 0; n < 4; n++) await endNext();
    expect(await Promise.all([running, first, second, other])).toEqual(['done', 'done', 'done', 'done']);
    expect(begun).toEqual(['a', 'a', 'b', 'a']);
  });

  it('makes room in a full queue, at the cost of who has the most in it.', async () => {
    const { add, begun, endNext } = openQueue({ atOnce: 1, maxWaiting: 4 });
    const flood = ['a', 'a', 'a', 'a', 'a'].map(add);
    const [other, another] = [add('b'), add('c')];
    expect(await Promise.all(flood.slice(3))).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    for (let n = 0; n < 5; n++) await endNext();
    expect(await Promise.all([other, another])).toEqual(['done', 'done']);
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a']);
  });
});
