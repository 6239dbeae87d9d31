import { StoreError } from '@svcforms/document-store';
import { createStoreRetry } from './store-retry.ts';

describe('work on a store that may be unavailable', () => {
  const signal = new AbortController();
  let log: string[] = [];
  const write = (fields: object) => void log.push((fields as { event: string }).event);
  const options = { signal: signal.signal, log: { info: write, warn: write }, now: Date.now };
  const retry = createStoreRetry(options);
  const away = (code: 'UNAVAILABLE' | 'DISK_FULL' = 'UNAVAILABLE') => new StoreError(code, 'not now');

  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    log = [];
  });

  it('is retried until it succeeds, with one log line when the outage starts and one when it ends', async () => {
    const failures = [away(), away('DISK_FULL'), away(), away()];
    const result = retry(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'done';
    });
    await jest.advanceTimersByTimeAsync(10_000);
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
    const outcome = limited(() => Promise.reject(away())).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(29_000);
    const later = limited(() => Promise.reject(away())).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await Promise.all([outcome, later])).toMatchObject([away(), away()]);
    expect(await limited(async () => 'done')).toBe('done');
    expect(log).toEqual(['store.away', 'store.back']);
    const failures = [away()];
    const next = limited(async () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return 'again';
    });
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await next).toBe('again');
  });

  it('rejects with the last error when the signal aborts, even during a pause', async () => {
    const outcome = retry(() => Promise.reject(away())).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1_000);
    signal.abort();
    expect(await outcome).toMatchObject({ code: 'UNAVAILABLE' });
  });
});
