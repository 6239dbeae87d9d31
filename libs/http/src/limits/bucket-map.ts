import type { FullAt } from './token-bucket.ts';

const SWEEP_MS = 10_000;

/** Keeps the buckets that aren't full: a full one needs no memory. */
export function createBucketMap<T extends { fullAt: FullAt }>(
  now: () => number,
  isInUse: (bucket: T) => boolean = () => false,
) {
  const buckets = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;

  function sweep(): void {
    const at = now();
    for (const [who, bucket] of buckets) if (bucket.fullAt <= at && !isInUse(bucket)) buckets.delete(who);
    if (buckets.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    get: (who: string) => buckets.get(who),
    add(who: string, bucket: T): T {
      buckets.set(who, bucket);
      timer ??= setInterval(sweep, SWEEP_MS).unref();
      return bucket;
    },
  };
}
