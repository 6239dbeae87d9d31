import type { Collection } from '@svcforms/document-store';
import type { ApiKeyRecord } from './records.ts';

/** A key's `lastUsedAt` is written at most once in this time, whatever the number of requests and processes. */
const RESOLUTION_MS = 60_000;
/** More keys than that are forgotten together; then the condition in the store alone prevents early writes. */
const MAX_REMEMBERED = 10_000;

/**
 * Notes when keys are used, in the background: no request waits for it, and a write that fails is only reported.
 * Processes that see the same key agree by the condition of the update; one that has tried waits before it tries again.
 */
export function createKeyUse(deps: {
  keys: Pick<Collection<ApiKeyRecord>, 'updateOne'>;
  now: () => number;
  onError: (error: unknown) => void;
}): (key: Pick<ApiKeyRecord, '_id' | 'lastUsedAt'>) => void {
  const { keys, now, onError } = deps;
  const triedAt = new Map<string, number>();

  return function noteUse({ _id, lastUsedAt }) {
    const at = now();
    const latest = Math.max(
      lastUsedAt === undefined ? -Infinity : Date.parse(lastUsedAt),
      triedAt.get(_id) ?? -Infinity,
    );
    if (at < latest + RESOLUTION_MS) return;
    if (triedAt.size >= MAX_REMEMBERED) triedAt.clear();
    triedAt.set(_id, at);
    const before = new Date(at - RESOLUTION_MS).toISOString();
    void keys
      .updateOne(
        { _id, $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lte: before } }] },
        { $set: { lastUsedAt: new Date(at).toISOString() } },
      )
      .catch(onError);
  };
}
