import type { AnyDocument, Collection, StoredDocument } from '@svcforms/document-store';
import { isoTime, setBounded, type Clock } from '@svcforms/primitives';

/** A credential that records its use: an API key or an agent. */
interface Used extends StoredDocument {
  lastUsedAt?: string;
}

/**
 * The `lastUsedAt` of a key or agent is written at most once in this time, over all requests and
 * processes.
 */
const RESOLUTION_MS = 60_000;
/** For older entries, the condition of the update prevents early writes. */
const MAX_CACHED = 10_000;

/**
 * Records when keys and agents are used, in the background: no request waits for the write, and a
 * failure is only reported. The condition of the update coordinates processes that see the same
 * one.
 */
export function createKeyUse(deps: {
  credentials: Pick<Collection<StoredDocument, AnyDocument>, 'updateOne'>;
  now: Clock;
  onError: (error: unknown) => void;
}): (key: Pick<Used, '_id' | 'lastUsedAt'>) => void {
  const { credentials, now, onError } = deps;
  const triedAt = new Map<string, number>();

  return function recordUse({ _id, lastUsedAt }) {
    const at = now();
    const latest = Math.max(
      lastUsedAt === undefined ? -Infinity : Date.parse(lastUsedAt),
      triedAt.get(_id) ?? -Infinity,
    );
    if (at < latest + RESOLUTION_MS) return;
    setBounded(triedAt, _id, at, MAX_CACHED);
    const before = isoTime(at - RESOLUTION_MS);
    void credentials
      .updateOne(
        { _id, $or: [{ lastUsedAt: { $exists: false } }, { lastUsedAt: { $lte: before } }] },
        { $set: { lastUsedAt: isoTime(at) } },
      )
      .catch(onError);
  };
}
