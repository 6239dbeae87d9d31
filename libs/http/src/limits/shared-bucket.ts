import { hash } from 'node:crypto';
import type { SharedAccess } from './shared-access.ts';
import { bucketsOf, MINUTE_MS, type FullAt, type Taken } from './token-bucket.ts';

/** A bucket is full after a minute without requests. The rest is for clocks that differ. */
const TTL_MS = MINUTE_MS + 5_000;

/** One bucket, as this process knows it. */
export interface Bucket {
  readonly key: string;
  /** The shared bucket as this process knows it, with the tokens that were taken locally. */
  fullAt: FullAt;
  /** Of the shared value that `fullAt` follows from. */
  revision: string | null;
  /** The bucket that only has the tokens taken locally and not yet reported. */
  owedFullAt: FullAt;
  /** Tokens of this process, which are no longer in the shared bucket. */
  leased: number;
  leasedAt: number;
  /** How many tokens to lease ahead. */
  block: number;
  /**
   * Whether an exchange runs. Requests wait for it, so that all changes of the bucket are in order.
   */
  isBusy: boolean;
  waiting: ((taken: Taken) => void)[];
}

/** A full bucket. The backend gets a hash as its key: it stores no addresses of clients. */
export function newBucket(name: string, at: number): Bucket {
  return {
    key: `bucket-${hash('sha256', name, 'base64url').slice(0, 22)}`,
    fullAt: at,
    revision: null,
    owedFullAt: 0,
    leased: 0,
    leasedAt: -Infinity,
    block: 0,
    isBusy: false,
    waiting: [],
  };
}

/**
 * Takes as many tokens from the shared bucket as `choose` says for the number that is left; a
 * negative number gives tokens back. Repeats that when another process was faster. Returns the
 * number.
 */
export type Exchange = (
  bucket: Bucket,
  choose: (left: number) => number,
  isOver: () => boolean,
) => Promise<number>;

export function createExchange(perMinute: number, access: Pick<SharedAccess, 'now' | 'values'>): Exchange {
  const { free, without } = bucketsOf(perMinute);
  const { now } = access;

  function withOwed({ owedFullAt }: Bucket, fullAt: FullAt): FullAt {
    const at = now();
    return Math.min(Math.max(fullAt, at) + Math.max(0, owedFullAt - at), at + MINUTE_MS);
  }

  return async (bucket, choose, isOver) => {
    for (;;) {
      const at = now();
      const count = choose(free(bucket.fullAt, at));
      if (count === 0) return 0;
      const fullAt = without(count, bucket.fullAt, at);
      const { key, revision } = bucket;
      const replaced = await access.values.replace(key, String(fullAt), { revision, ttlMs: TTL_MS });
      if (isOver()) return 0;
      if (replaced !== null) {
        Object.assign(bucket, { fullAt, revision: replaced, owedFullAt: 0 });
        return count;
      }
      const found = await access.values.read(key);
      if (isOver()) return 0;
      bucket.revision = found?.revision ?? null;
      // Without a value, the backend has lost it, and this process adds what it knows.
      if (found) bucket.fullAt = withOwed(bucket, Number(found.text) || 0);
    }
  };
}
