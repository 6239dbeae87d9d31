import { createFormCache, KEEP_MS } from './form-cache.ts';

describe('createFormCache', () => {
  const setUp = () => {
    const clock = { now: 0 };
    const loads: string[] = [];
    let fail = false;
    const read = createFormCache(
      async (key) => {
        loads.push(key);
        await Promise.resolve();
        if (fail) throw new Error('the store is unavailable');
        return `${key} ${loads.length}`;
      },
      { now: () => clock.now },
    );
    return { clock, loads, read, failing: (is: boolean) => (fail = is) };
  };

  it('loads once for concurrent reads', async () => {
    const { read, loads } = setUp();
    await Promise.all([read('a'), read('a'), read('a'), read('b')]);
    expect(loads).toEqual(['a', 'b']);
  });

  it('remembers for a second, and then loads again', async () => {
    const { read, clock } = setUp();
    expect(await read('a')).toBe('a 1');
    clock.now += KEEP_MS - 1;
    expect(await read('a')).toBe('a 1');
    clock.now += 1;
    expect(await read('a')).toBe('a 2');
  });

  it('loads again after the clock was set back', async () => {
    const { read, clock } = setUp();
    expect(await read('a')).toBe('a 1');
    clock.now -= 3_600_000;
    expect(await read('a')).toBe('a 2');
    expect(await read('a')).toBe('a 2');
  });

  it('does not remember a failure', async () => {
    const { read, failing } = setUp();
    failing(true);
    await expect(read('a')).rejects.toThrow('the store is unavailable');
    failing(false);
    expect(await read('a')).toBe('a 2');
  });

  it('forgets the oldest rather than grow without end', async () => {
    const { read, loads } = setUp();
    for (let i = 0; i <= 2000; i++) await read(`form ${i}`);
    await read('form 2000');
    expect(loads).toHaveLength(2001);
    await read('form 0');
    expect(loads).toHaveLength(2002);
  });
});
