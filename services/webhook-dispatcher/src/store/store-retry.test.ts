import { StoreError } from '@svcforms/document-store';
import { createStoreRetry } from './store-retry.ts';

describe('work on a store that may be unavailable', () => {
  const signal = new AbortController();
  let log: string[] = [];
  let time = 0;
  const write = (fields: object) => void log.push((fields as { event: string }).event);
  const options = { signal: signal.signal, log: { info: write, warn: write }, now: () => time };
  const retry = createStoreRetry(options);
  const away = (code: 'UNAVAILABLE' | 'DISK_FULL' = 'UNAVAILABLE') => new StoreError(code, 'not now');

  afterEach(() => void (log = []));

  it('is retried until it succeeds, with one log line when the outage starts and one when it ends', async () => {
    const failures = [away(), away('DISK_FULL'), away(), away()];
    const result = retry(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'done';
    });
    expect(await result).toBe('done');
    expect(log).toEqual(['store.away', 'store.back']);
  });

  it('is not retried after an error that is not an outage', async () => {
    let tries = 0;
    const work = async () => {
      tries++;
      throw new StoreError('UNSUPPORTED', 'a bad filter');
    };
    await expect(retry(work)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    expect(tries).toBe(1);
    expect(log).toEqual([]);
  });

  it('rejects when the store has been unavailable for the given time, until it succeeds again', async () => {
    const limited = createStoreRetry({ ...options, giveUpAfterMs: 30_000 });
    // The time since the first failure of any work counts, so the later one may fail only once.
    let tries = 0;
    const failAfter = (ms: number) => async () => {
      tries++;
      time += ms;
      throw away();
    };
    await expect(limited(failAfter(14_999))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(tries).toBe(4);
    await expect(limited(failAfter(1))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(tries).toBe(5);
    expect(await limited(async () => 'done')).toBe('done');
    expect(log).toEqual(['store.away', 'store.back']);
    const failures = [away()];
    const next = limited(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'again';
    });
    expect(await next).toBe('again');
  });

  it('rejects with the last error when the signal aborts, even during a pause', async () => {
    const outcome = retry(() => Promise.reject(away())).catch((error: unknown) => error);
    await new Promise(setImmediate);
    signal.abort();
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
