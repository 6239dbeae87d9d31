import { createBucketMap } from './bucket-map.ts';
import type { TakeToken } from './local-buckets.ts';
import type { SharedAccess } from './shared-access.ts';
import { createExchange, newBucket, type Bucket } from './shared-bucket.ts';
import { bucketsOf, MINUTE_MS, type Taken } from './token-bucket.ts';

/** A process leases at most this share of a limit, so three of them stay within 5 %. */
const MAX_BLOCK_SHARE = 0.015;
/**
 * Of the tokens that are left, at most one in this many is leased ahead, so blocks shrink near the
 * limit.
 */
const LEFT_PER_TOKEN_AHEAD = 20;
/** Tokens that aren't used for this long are given back. */
const UNUSED_MS = 1_000;
const RETURN_EVERY_MS = 500;

/**
 * Buckets that several processes share, exactly: a token is taken by a conditional update of the
 * shared value. Where one process takes several tokens a second, it leases some ahead, fewer as the
 * bucket empties; small limits have none. While the shared values are unavailable, each process
 * continues with what it knows. ADR 0050
 */
export function createSharedBuckets(
  perMinute: number,
  { name, access }: { name: string; access: SharedAccess },
): TakeToken {
  const { free, without, taken } = bucketsOf(perMinute);
  const { now } = access;
  const exchange = createExchange(perMinute, access);
  const maxBlock = Math.floor(perMinute * MAX_BLOCK_SHARE);
  const buckets = createBucketMap<Bucket>(now, ({ isBusy, leased }) => isBusy || leased > 0);
  const withLeased = new Set<Bucket>();
  let returning: NodeJS.Timeout | undefined;

  function takeLeased(bucket: Bucket): Taken {
    bucket.leased -= 1;
    return taken(true, bucket.fullAt, now(), bucket.leased);
  }

  function takeLocally(bucket: Bucket): Taken {
    const at = now();
    const isAllowed = free(bucket.fullAt, at) > 0;
    if (isAllowed) {
      bucket.fullAt = without(1, bucket.fullAt, at);
      bucket.owedFullAt = without(1, bucket.owedFullAt, at);
    }
    return taken(isAllowed, bucket.fullAt, at);
  }

  async function lease(bucket: Bucket, wanted: number): Promise<void> {
    const at = now();
    const isFrequent = at - bucket.leasedAt < UNUSED_MS;
    bucket.block = isFrequent
      ? Math.min(maxBlock, Math.max(1, 2 * bucket.block))
      : Math.floor(bucket.block / 2);
    bucket.leasedAt = at;
    const choose = (left: number) => {
      const ahead = Math.min(bucket.block, Math.floor((left - wanted) / LEFT_PER_TOKEN_AHEAD));
      return Math.min(left, wanted + Math.max(0, ahead));
    };
    bucket.leased += await access.run((isOver) => exchange(bucket, choose, isOver));
  }

  /** Responds to the requests that wait for this bucket. */
  async function serve(bucket: Bucket): Promise<void> {
    bucket.isBusy = true;
    while (bucket.waiting.length > 0) {
      const wanted = bucket.waiting.length;
      const isShared =
        !access.isAway() &&
        (await lease(bucket, wanted).then(
          () => true,
          () => false,
        ));
      // More requests may have come in meanwhile. Those that get no token now have their own
      // exchange.
      const served = bucket.waiting.splice(0, Math.max(wanted, bucket.leased));
      for (const respond of served) {
        if (bucket.leased > 0) respond(takeLeased(bucket));
        else respond(isShared ? taken(false, bucket.fullAt, now()) : takeLocally(bucket));
      }
    }
    bucket.isBusy = false;
    if (bucket.leased === 0) return;
    withLeased.add(bucket);
    returning ??= setInterval(returnUnused, RETURN_EVERY_MS).unref();
  }

  function returnUnused(): void {
    const at = now();
    for (const bucket of withLeased) {
      if (bucket.leased === 0) withLeased.delete(bucket);
      else if (!bucket.isBusy && at - bucket.leasedAt >= UNUSED_MS) void giveBack(bucket);
    }
    if (withLeased.size > 0) return;
    clearInterval(returning);
    returning = undefined;
  }

  async function giveBack(bucket: Bucket): Promise<void> {
    const count = bucket.leased;
    bucket.isBusy = true;
    bucket.leased = 0;
    bucket.block = Math.max(0, bucket.block - count);
    withLeased.delete(bucket);
    // Tokens that can't be given back are lost for the minute in which the bucket refills.
    if (!access.isAway()) {
      await access.run((isOver) => exchange(bucket, () => -count, isOver)).catch(() => {});
    }
    await serve(bucket);
  }

  return (who) => {
    const at = now();
    const bucket = buckets.get(who) ?? buckets.add(who, newBucket(`${name} ${who}`, at));
    // The shared clock can go back: it is another one before the connection, and after another
    // server took over.
    bucket.fullAt = Math.min(bucket.fullAt, at + MINUTE_MS);
    if (bucket.isBusy) return new Promise((resolve) => void bucket.waiting.push(resolve));
    if (bucket.leased > 0) return takeLeased(bucket);
    if (free(bucket.fullAt, at) === 0) return taken(false, bucket.fullAt, at);
    if (access.isAway()) return takeLocally(bucket);
    return new Promise((resolve) => {
      bucket.waiting.push(resolve);
      void serve(bucket);
    });
  };
}
