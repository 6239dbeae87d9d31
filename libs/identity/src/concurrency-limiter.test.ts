import { createConcurrencyLimiter } from './concurrency-limiter.ts';

const ANYBODY = { id: '', isKnown: false };

describe('the concurrency limiter', () => {
  it('runs as many calls as permitted, queues others in order and refuses more than the queue takes', async () => {
    const limited = createConcurrencyLimiter({ concurrency: 2, maxQueued: 2 });
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      limited(() => {
        started.push(n);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }, ANYBODY);
    const all = [work(1), work(2), work(3), work(4)];
    await expect(work(5)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(started).toEqual([1, 2]);
    ends[1]?.();
    await all[1];
    expect(started).toEqual([1, 2, 3]);
    ends[0]?.();
    await all[0];
    expect(started).toEqual([1, 2, 3, 4]);
    for (const end of ends) end();
    await Promise.all(all);
    await limited(async () => void started.push(6), ANYBODY);
    expect(started.at(-1)).toBe(6);
  });

  it('continues after a failure', async () => {
    const limited = createConcurrencyLimiter({ concurrency: 1, maxQueued: 1 });
    const failing = limited(() => Promise.reject(new Error('no')), ANYBODY);
    const next = limited(async () => 'done', ANYBODY);
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  /** Calls of several callers; each ends when the test ends it. */
  function openQueue(options: Parameters<typeof createConcurrencyLimiter>[0]) {
    const limited = createConcurrencyLimiter(options);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const add = (caller: string, isKnown = false) => {
      const result = limited(
        () => {
          started.push(caller);
          return new Promise<void>((resolve) => void ends.push(resolve));
        },
        { id: caller, isKnown },
      ).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      return result;
    };
    const endNext = async () => {
      ends.shift()?.();
      await new Promise((resolve) => void setImmediate(resolve));
    };
    return { add, started, endNext };
  }

  it('takes callers in turn, no matter how many calls one of them queues', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 100 });
    const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((caller) => add(caller));
    for (let n = 0; n < 7; n++) await endNext();
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 7 }, () => 'done'));
  });

  it('refuses a caller beyond its own limit and still accepts others', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 100, maxQueuedPerCaller: 2 });
    const [running, first, second, third, other] = ['a', 'a', 'a', 'a', 'b'].map((caller) => add(caller));
    expect(await third).toBe('RATE_LIMITED');
    for (let n = 0; n < 4; n++) await endNext();
    expect(await Promise.all([running, first, second, other])).toEqual(['done', 'done', 'done', 'done']);
    expect(started).toEqual(['a', 'a', 'b', 'a']);
  });

  it('makes room in a full queue at the expense of the caller with the most calls', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 4 });
    const flood = ['a', 'a', 'a', 'a', 'a'].map((caller) => add(caller));
    const [other, another] = [add('b'), add('c')];
    expect(await Promise.all(flood.slice(3))).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    for (let n = 0; n < 5; n++) await endNext();
    expect(await Promise.all([other, another])).toEqual(['done', 'done']);
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a']);
  });

  it('lets known callers take turns with strangers who have filled their queue one by one', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 3 });
    const strangers = ['a', 'b', 'c', 'd'].map((caller) => add(caller));
    expect(await add('e')).toBe('UNAVAILABLE');
    const known = ['x', 'y', 'y'].map((caller) => add(caller, true));
    expect(await add('f')).toBe('UNAVAILABLE');
    for (let n = 0; n < 7; n++) await endNext();
    expect(started).toEqual(['a', 'x', 'b', 'y', 'c', 'y', 'd']);
    expect(await Promise.all([...strangers, ...known])).toEqual(Array.from({ length: 7 }, () => 'done'));
  });

  it('refuses a known caller only while known callers have filled their queue', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 2 });
    const all = [add('a'), add('x', true), add('y', true)];
    expect(await add('z', true)).toBe('UNAVAILABLE');
    all.push(add('b'));
    for (let n = 0; n < 4; n++) await endNext();
    expect(started).toEqual(['a', 'x', 'b', 'y']);
    expect(await Promise.all(all)).toEqual(['done', 'done', 'done', 'done']);
  });
});
