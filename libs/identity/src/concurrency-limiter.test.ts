import { createConcurrencyLimiter } from './concurrency-limiter.ts';

describe('the concurrency limiter', () => {
  it('runs as many calls as permitted, queues others in order and refuses more than the queue takes', async () => {
    const limited = createConcurrencyLimiter({ concurrency: 2, maxQueued: 2 });
    const started: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      limited(() => {
        started.push(n);
        return new Promise<void>((resolve) => void ends.push(resolve));
      });
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
    await limited(async () => void started.push(6));
    expect(started.at(-1)).toBe(6);
  });

  it('continues after a failure', async () => {
    const limited = createConcurrencyLimiter({ concurrency: 1, maxQueued: 1 });
    const failing = limited(() => Promise.reject(new Error('no')));
    const next = limited(async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  /** Calls of several callers; each ends when the test ends it. */
  function openQueue(options: Parameters<typeof createConcurrencyLimiter>[0]) {
    const limited = createConcurrencyLimiter(options);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const add = (caller: string) => {
      const result = limited(() => {
        started.push(caller);
        return new Promise<void>((resolve) => void ends.push(resolve));
      }, caller).then(
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
    const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(add);
    for (let n = 0; n < 7; n++) await endNext();
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
    expect(await Promise.all(all)).toEqual(Array.from({ length: 7 }, () => 'done'));
  });

  it('refuses a caller beyond its own limit and still accepts others', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 100, maxQueuedPerCaller: 2 });
    const [running, first, second, third, other] = ['a', 'a', 'a', 'a', 'b'].map(add);
    expect(await third).toBe('RATE_LIMITED');
    for (let n = 0; n < 4; n++) await endNext();
    expect(await Promise.all([running, first, second, other])).toEqual(['done', 'done', 'done', 'done']);
    expect(started).toEqual(['a', 'a', 'b', 'a']);
  });

  it('makes room in a full queue at the expense of the caller with the most calls', async () => {
    const { add, started, endNext } = openQueue({ concurrency: 1, maxQueued: 4 });
    const flood = ['a', 'a', 'a', 'a', 'a'].map(add);
    const [other, another] = [add('b'), add('c')];
    expect(await Promise.all(flood.slice(3))).toEqual(['UNAVAILABLE', 'UNAVAILABLE']);
    for (let n = 0; n < 5; n++) await endNext();
    expect(await Promise.all([other, another])).toEqual(['done', 'done']);
    expect(started).toEqual(['a', 'a', 'b', 'c', 'a']);
  });
});
