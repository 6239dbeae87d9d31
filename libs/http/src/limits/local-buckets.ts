import { createBucketMap } from './bucket-map.ts';
import { bucketsOf, type FullAt, type Taken } from './token-bucket.ts';

/** Takes one token from the bucket of `who`. */
export type TakeToken = (who: string) => Taken | Promise<Taken>;

/** Buckets of this process alone. */
export function createLocalBuckets(perMinute: number): TakeToken {
  const { free, without, taken } = bucketsOf(perMinute);
  const now = () => performance.now();
  const buckets = createBucketMap<{ fullAt: FullAt }>(now);
  return (who) => {
    const at = now();
    const bucket = buckets.get(who) ?? buckets.add(who, { fullAt: at });
    const isAllowed = free(bucket.fullAt, at) > 0;
    if (isAllowed) bucket.fullAt = without(1, bucket.fullAt, at);
    return taken(isAllowed, bucket.fullAt, at);
  };
}
