import { createKeyedSemaphore } from './keyed-semaphore.ts';

/** Whether a permit is free, for a key with a queue that is empty. */
async function isFree(acquire: ReturnType<typeof createKeyedSemaphore>, key: string): Promise<boolean> {
  const giveUp = new AbortController();
  const acquiring = acquire(key, giveUp.signal).then(
    (release) => (release(), true),
    () => false,
  );
  giveUp.abort(new Error('given up'));
  return acquiring;
}

describe('a keyed semaphore', () => {
  it('gives the permit of a key to the next in its queue, and to nobody who has given up', async () => {
    const acquire = createKeyedSemaphore(1);
    const release = await acquire('one');
    const giveUp = new AbortController();
    const given = acquire('one', giveUp.signal);
    const next = acquire('one');
    giveUp.abort(new Error('given up'));
    await expect(given).rejects.toThrow('given up');
    expect([await isFree(acquire, 'one'), await isFree(acquire, 'two')]).toEqual([false, true]);
    release();
    const releaseNext = await next;
    expect(await isFree(acquire, 'one')).toBe(false);
    releaseNext();
    expect(await isFree(acquire, 'one')).toBe(true);
  });

  it('takes each permit back once', async () => {
    const acquire = createKeyedSemaphore(1);
    const release = await acquire('one');
    release();
    await acquire('one');
    release();
    expect(await isFree(acquire, 'one')).toBe(false);
  });
});
