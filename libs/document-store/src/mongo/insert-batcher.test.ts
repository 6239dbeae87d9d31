import { createInsertBatcher } from './insert-batcher.ts';

/** Takes groups, and answers each when it is told to. */
function slowServer() {
  const groups: {
    docs: readonly string[];
    answer: (errors: readonly (Error | null)[]) => void;
    fail: (error: Error) => void;
  }[] = [];
  const insert = createInsertBatcher<string>(
    (docs) => new Promise((answer, fail) => groups.push({ docs, answer, fail })),
    3,
  );
  return { groups, insert, sent: () => groups.map(({ docs }) => docs) };
}

const soon = () => new Promise(setImmediate);

describe('an insert batcher', () => {
  it('sends what comes in the same moment as one group', async () => {
    const { groups, insert, sent } = slowServer();
    const inserts = [insert('a'), insert('b'), Promise.resolve().then(() => insert('c'))];
    expect(sent()).toEqual([]);
    await soon();
    expect(sent()).toEqual([['a', 'b', 'c']]);
    groups[0]?.answer([null, null, null]);
    await Promise.all(inserts);
  });

  it('gathers what comes while a group is on its way, and sends it in groups of the greatest size', async () => {
    const { groups, insert, sent } = slowServer();
    const inserts = [insert('a')];
    await soon();
    inserts.push(...['b', 'c', 'd', 'e'].map(insert));
    await soon();
    expect(sent()).toEqual([['a']]);
    groups[0]?.answer([null]);
    await soon();
    expect(sent()).toEqual([['a'], ['b', 'c', 'd']]);
    groups[1]?.answer([null, null, null]);
    await soon();
    expect(sent()).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
    groups[2]?.answer([null]);
    await Promise.all(inserts);

    inserts.push(insert('f'));
    await soon();
    expect(sent().at(-1)).toEqual(['f']);
  });

  it('gives each caller the outcome of its own document', async () => {
    const { groups, insert } = slowServer();
    const outcomes = Promise.allSettled(['a', 'b', 'c'].map(insert));
    await soon();
    groups[0]?.answer([null, new Error('b is taken'), null]);
    expect(await outcomes).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { message: 'b is taken' } },
      { status: 'fulfilled' },
    ]);
  });

  it('rejects all of a group that failed as a whole, and none that came later', async () => {
    const { groups, insert } = slowServer();
    const failing = Promise.allSettled(['a', 'b'].map(insert));
    await soon();
    const later = insert('c');
    groups[0]?.fail(new Error('gone'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await soon();
    groups[1]?.answer([null]);
    await expect(later).resolves.toBeUndefined();
  });
});
