import { AppError } from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { Reply } from './route.ts';

const KEPT_MS = 24 * 3600 * 1000;
/** A request that hasn't ended by now died with its process; the next one with its key takes over. */
const RUNNING_MS = 30_000;

interface IdempotencyRecord extends StoredDocument {
  /** SHA-256 of the request's body. */
  fingerprint: string;
  /** For the id of what the request creates, the same when it is taken over. */
  ulid: string;
  /** Absent while it runs. JSON text. */
  reply?: string;
  runningUntil: string;
  expireAt: string;
}

const IDEMPOTENCY_KEYS: CollectionSpec = { name: 'idempotency_keys', indexes: [], expireAt: 'expireAt' };

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

  /** Reserves the key, or tells what is to be answered instead. */
  async function reserve(_id: string, fingerprint: string): Promise<{ ulid: string } | { reply: Reply }> {
    for (;;) {
      const record: IdempotencyRecord = {
        _id,
        fingerprint,
        ulid: ulid(),
        runningUntil: isoIn(RUNNING_MS),
        expireAt: isoIn(KEPT_MS),
      };
      const { inserted } = await records.insertMany([record]);
      if (inserted.length > 0) return record;

      const first = await records.findOne({ _id });
      if (!first || first.expireAt <= isoIn(0)) {
        if (first) await records.deleteOne({ _id, expireAt: first.expireAt });
        continue;
      }
      if (first.fingerprint !== fingerprint) {
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This Idempotency-Key came with another body before; use a new one',
        );
      }
      if (first.reply !== undefined) {
        const reply = JSON.parse(first.reply) as Reply;
        return { reply: { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } } };
      }
      const takenOver = await records.updateOne(
        { _id, runningUntil: { $eq: first.runningUntil, $lt: isoIn(0) } },
        { $set: { runningUntil: isoIn(RUNNING_MS) } },
      );
      if (takenOver) return first;
      throw new AppError(
        'IDEMPOTENCY_IN_PROGRESS',
        'The first request with this Idempotency-Key has not ended yet; try again',
        {
          headers: { 'Retry-After': '1' },
        },
      );
    }
  }

  const isoIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();

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
    let reply: Reply;
    try {
      reply = await execute(reserved.ulid);
    } catch (error) {
      await records.deleteOne({ _id });
      throw error;
    }
    await records.updateOne({ _id }, { $set: { reply: JSON.stringify(withoutSecrets(reply)) } });
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
