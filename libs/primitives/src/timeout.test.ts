import { pause, TimeoutError, waitAtMost, withTimeout } from './timeout.ts';

const never = new Promise<never>(() => {});
const refused = () => Promise.reject(new Error('refused'));

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('withTimeout', () => {
  it('resolves with the result', async () => {
    await expect(withTimeout(Promise.resolve(1), 100)).resolves.toBe(1);
    await expect(withTimeout(2, 100)).resolves.toBe(2);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects with the error of the work', async () => {
    await expect(withTimeout(refused(), 100)).rejects.toThrow('refused');
  });

  it('rejects when the time is up', async () => {
    const [outcome] = await Promise.all([
      withTimeout(never, 100).catch((error: unknown) => error),
      jest.advanceTimersByTimeAsync(100),
    ]);
    expect(outcome).toBeInstanceOf(TimeoutError);
  });
});

describe('waitAtMost', () => {
  it('resolves with true as soon as the work ends', async () => {
    await expect(waitAtMost(Promise.resolve(), 100)).resolves.toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('resolves with false when the time is up', async () => {
    const result = waitAtMost(never, 100);
    await jest.advanceTimersByTimeAsync(100);
    await expect(result).resolves.toBe(false);
  });

  it('rejects with the error of the work', async () => {
    await expect(waitAtMost(refused(), 100)).rejects.toThrow('refused');
  });
});

describe('pause', () => {
  // Fake timers don't replace those of node:timers/promises.
  beforeEach(() => void jest.useRealTimers());
  afterEach(() => void jest.useFakeTimers());

  it('resolves after that time', async () => {
    const startedAt = performance.now();
    await pause(20);
    // A timer may fire up to a millisecond early.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19);
  });

  it('resolves as soon as the signal aborts', async () => {
    const stopping = new AbortController();
    const paused = pause(60_000, stopping.signal);
    stopping.abort();
    await expect(paused).resolves.toBeUndefined();
    await expect(pause(60_000, stopping.signal)).resolves.toBeUndefined();
  });
});
