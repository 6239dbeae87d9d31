import { createBatcher, type BatcherOptions } from './batcher.ts';

type Results = readonly (string | Error)[];

/** A batcher whose batches end when the test ends them. */
function openBatcher(options: Partial<BatcherOptions<string, string>> = {}) {
  const batches: {
    items: readonly string[];
    end: (results: Results) => void;
    fail: (error: Error) => void;
  }[] = [];
  const add = createBatcher<string, string>({
    run: (items) => new Promise((end, fail) => batches.push({ items, end, fail })),
    ...options,
  });
  return {
    add,
    started: () => batches.map(({ items }) => items),
    end: (nth: number, results: Results) => batches[nth]?.end(results),
    fail: (nth: number, error: Error) => batches[nth]?.fail(error),
  };
}

const nextTurn = () => new Promise(setImmediate);

describe('a batcher', () => {
  it('groups the calls of one turn of the event loop', async () => {
    const { add, started, end } = openBatcher();
    const calls = [add('a'), add('b'), Promise.resolve().then(() => add('c'))];
    expect(started()).toEqual([]);
    await nextTurn();
    expect(started()).toEqual([['a', 'b', 'c']]);
    end(0, ['A', 'B', 'C']);
    expect(await Promise.all(calls)).toEqual(['A', 'B', 'C']);
  });

  it('groups the calls that arrive during a batch, up to the maximum size, and starts them when it ends', async () => {
    const { add, started, end } = openBatcher({ maxSize: 3 });
    const calls = [add('a')];
    await nextTurn();
    calls.push(...['b', 'c', 'd', 'e'].map(add));
    await nextTurn();
    expect(started()).toEqual([['a']]);
    end(0, ['A']);
    await nextTurn();
    expect(started()).toEqual([['a'], ['b', 'c', 'd']]);
    end(1, ['B', 'C', 'D']);
    await nextTurn();
    expect(started()).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    end(2, ['E']);
    expect(await Promise.all(calls)).toEqual(['A', 'B', 'C', 'D', 'E']);

    const later = add('f');
    await nextTurn();
    expect(started().at(-1)).toEqual(['f']);
    end(3, ['F']);
    expect(await later).toBe('F');
  });

  it('groups the calls that follow the end of a batch', async () => {
    const { add, started, end } = openBatcher();
    const again = ['a', 'b'].map(async (item) => {
      await add(item);
      await add(`${item}2`);
    });
    await nextTurn();
    end(0, ['A', 'B']);
    await nextTurn();
    await nextTurn();
    expect(started()).toEqual([
      ['a', 'b'],
      ['a2', 'b2'],
    ]);
    end(1, ['A2', 'B2']);
    await Promise.all(again);
  });

  it('rejects only the call whose result is an error', async () => {
    const { add, end } = openBatcher();
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map(add));
    await nextTurn();
    end(0, ['A', new Error('b is taken'), 'C']);
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: { message: 'b is taken' } },
      { status: 'fulfilled', value: 'C' },
    ]);
  });

  it('rejects every call of a batch that fails, and none of the next', async () => {
    const { add, end, fail } = openBatcher();
    const failing = Promise.allSettled(['a', 'b'].map(add));
    await nextTurn();
    const later = add('c');
    fail(0, new Error('no connection'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await nextTurn();
    end(1, ['C']);
    await expect(later).resolves.toBe('C');
  });
});

describe('a batcher with a delay', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('starts a batch when its first item has waited that long', async () => {
    const { add, started } = openBatcher({ delayMs: 100 });
    void add('a');
    await jest.advanceTimersByTimeAsync(60);
    void add('b');
    await jest.advanceTimersByTimeAsync(39);
    expect(started()).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    expect(started()).toEqual([['a', 'b']]);
  });

  it('starts a full batch immediately', () => {
    const { add, started } = openBatcher({ delayMs: 100, maxSize: 2 });
    void add('a');
    void add('b');
    expect(started()).toEqual([['a', 'b']]);
  });
});
