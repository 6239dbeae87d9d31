import { AppError, isAppError } from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { Reply } from './route.ts';

const KEPT_MS = 24 * 3600 * 1000;
/** A request that hasn't ended after so long died with its process; the next one with its key takes over. */
const RUNNING_MS = 30_000;

interface IdempotencyRecord extends StoredDocument {
  /** SHA-256 of the request's body. */
  fingerprint: string;
  /** For the id of what the request creates, the same when it is taken over. */
  ulid: string;
  /** Absent while it runs, or when it ended without one. JSON text. */
  reply?: string;
  /** Until then the key is with the request that set it. */
  runningUntil: string;
  expireAt: string;
}

type Reservation = Pick<IdempotencyRecord, 'ulid' | 'runningUntil'>;

export const IDEMPOTENCY_KEYS: CollectionSpec = {
  name: 'idempotency_keys',
  indexes: [],
  expireAt: 'expireAt',
};

export interface IdempotentRequest {
  /** Who calls: the same key of two callers has nothing to do with each other. */
  caller: string;
  path: string;
  /** The value of the header; absent: the request simply runs. */
  key: string | undefined;
  rawBody: Buffer;
}

/** Runs `execute` once for each key; `ulid` is that of the id of what it creates (absent without a key). */
export type RunOnce = (
  request: IdempotentRequest,
  execute: (ulid?: string) => Promise<Reply>,
) => Promise<Reply>;

/**
 * `Idempotency-Key`: the first request with a key runs and its answer is kept for 24 hours; a repetition gets that answer,
 * less its one-time secrets. Only successes are kept. contract: api.md §1
 */
export function createIdempotency(deps: { store: DocumentStore; now?: () => number }): RunOnce {
  const { now = Date.now } = deps;
  const records: Collection<IdempotencyRecord> = deps.store.collection(IDEMPOTENCY_KEYS);

  const isoIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();

  /** Reserves the key, or tells what is to be answered instead. */
  async function reserve(_id: string, fingerprint: string): Promise<Reservation | { reply: Reply }> {
    for (;;) {
      const fresh = { fingerprint, ulid: ulid(), runningUntil: isoIn(RUNNING_MS), expireAt: isoIn(KEPT_MS) };
      const { inserted } = await records.insertMany([{ _id, ...fresh }]);
      if (inserted.length > 0) return fresh;

      const first = await records.findOne({ _id });
      if (!first) continue;
      if (first.expireAt <= isoIn(0)) {
        await records.deleteOne({ _id, expireAt: first.expireAt });
        continue;
      }
      const isSame = first.fingerprint === fingerprint;
      if (first.reply === undefined && first.runningUntil <= isoIn(0)) {
        // It ended without an answer. The same request goes on where that one ended; another has the key to itself.
        const next = isSame ? { ...fresh, ulid: first.ulid } : fresh;
        if (await records.updateOne({ _id, runningUntil: first.runningUntil }, { $set: next })) return next;
        continue;
      }
      if (!isSame) {
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This Idempotency-Key came with another body before; use a new one',
        );
      }
      if (first.reply === undefined) {
        throw new AppError(
          'IDEMPOTENCY_IN_PROGRESS',
          'The first request with this Idempotency-Key has not ended yet; try again',
          { headers: { 'Retry-After': '1' } },
        );
      }
      const reply = JSON.parse(first.reply) as Reply;
      return { reply: { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } } };
    }
  }

  return async function runOnce({ caller, path, key, rawBody }, execute) {
    if (key === undefined) return execute();
    if (key.length < 1 || key.length > 255) {
      throw new AppError('VALIDATION_FAILED', 'Idempotency-Key must have 1 to 255 characters');
    }
    const _id = createHash('sha256')
      .update(JSON.stringify([caller, path, key]))
      .digest('hex');
    const fingerprint = createHash('sha256').update(rawBody).digest('hex');
    const reserved = await reserve(_id, fingerprint);
    if ('reply' in reserved) return reserved.reply;
    const own = { _id, runningUntil: reserved.runningUntil };
    let reply: Reply;
    try {
      reply = await execute(reserved.ulid);
    } catch (error) {
      // A refusal changed nothing. Anything else may have: a repetition must make the same thing, not another one.
      if (isAppError(error) && error.status < 500) await records.deleteOne(own);
      else await records.updateOne(own, { $set: { runningUntil: isoIn(0) } });
      throw error;
    }
    await records.updateOne(own, { $set: { reply: JSON.stringify(withoutSecrets(reply)) } });
    return reply;
  };
}

const ONE_TIME_SECRETS = ['token', 'key', 'secret'];

function withoutSecrets(reply: Reply): Reply {
  if (typeof reply.data !== 'object' || reply.data === null) return reply;
  const data = Object.fromEntries(
    Object.entries(reply.data).map(([name, value]) => [
      name,
      ONE_TIME_SECRETS.includes(name) ? null : (value as unknown),
    ]),
  );
  return { ...reply, data };
}
