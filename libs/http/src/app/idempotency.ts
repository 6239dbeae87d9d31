import { AppError, isAppError } from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { Reply } from '../routes/route.ts';

const KEPT_MS = 24 * 3600 * 1000;
/** A request that hasn't ended after so long died with its process; the next one with its key takes over. */
const RUNNING_MS = 30_000;

interface IdempotencyRecord extends StoredDocument {
  /** Whose it is, where the caller is known. Absent in records of older versions, which are kept for a day. */
  accountId?: string;
  /** The form that a caller without an account submitted to. */
  formId?: string;
  /** SHA-256 of the request's body. */
  fingerprint: string;
  /** For the id of what the request creates, the same when it is taken over. */
  ulid: string;
  /** Absent while it runs, or when it ended without one. JSON text. */
  reply?: string;
  /** Id of what the reply shows. */
  about?: string;
  /** When that was erased, and the reply with it. ISO 8601. */
  erasedAt?: string;
  /** Until then the key is with the request that set it. */
  runningUntil: string;
  expireAt: string;
}

type Reservation = Pick<IdempotencyRecord, 'ulid' | 'runningUntil'>;

export const IDEMPOTENCY_KEYS: CollectionSpec = {
  name: 'idempotency_keys',
  indexes: [{ keys: ['about'], sparse: true }],
  expireAt: 'expireAt',
};

export interface IdempotentRequest {
  /** Who calls: the same key of two callers has nothing to do with each other. */
  caller: string;
  /** The caller's account; its records are deleted with it. */
  accountId?: string | undefined;
  /** The form in the path. */
  formId?: string | undefined;
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
  async function reserve(
    _id: string,
    fingerprint: string,
    owner: Pick<IdempotencyRecord, 'accountId' | 'formId'>,
  ): Promise<Reservation | { reply: Reply }> {
    for (;;) {
      const fresh = { fingerprint, ulid: ulid(), runningUntil: isoIn(RUNNING_MS), expireAt: isoIn(KEPT_MS) };
      const { inserted } = await records.insertMany([{ _id, ...owner, ...fresh }]);
      if (inserted.length > 0) return fresh;

      const first = await records.findOne({ _id });
      if (!first) continue;
      if (first.expireAt <= isoIn(0)) {
        await records.deleteOne({ _id, expireAt: first.expireAt });
        continue;
      }
      if (first.erasedAt !== undefined) {
        throw new AppError('ERASED', 'What the first request with this Idempotency-Key created was erased');
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

  return async function runOnce({ caller, accountId, formId, path, key, rawBody }, execute) {
    if (key === undefined) return execute();
    if (key.length < 1 || key.length > 255) {
      throw new AppError('VALIDATION_FAILED', 'Idempotency-Key must have 1 to 255 characters');
    }
    const _id = createHash('sha256')
      .update(JSON.stringify([caller, path, key]))
      .digest('hex');
    const fingerprint = createHash('sha256').update(rawBody).digest('hex');
    // The account of a form isn't known before it is read.
    const owner = accountId === undefined ? (formId === undefined ? {} : { formId }) : { accountId };
    const reserved = await reserve(_id, fingerprint, owner);
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
    await records.updateOne(own, {
      $set: { reply: JSON.stringify(withoutSecrets(reply)), about: idIn(reply) },
    });
    return reply;
  };
}

/**
 * Erases the stored replies that show what one of these ids names; their keys are answered with `ERASED` from then on.
 * `at`: ISO 8601.
 */
export async function forgetReplies(
  store: Pick<DocumentStore, 'collection'>,
  ids: readonly string[],
  at: string,
): Promise<void> {
  if (ids.length === 0) return;
  await store
    .collection<IdempotencyRecord>(IDEMPOTENCY_KEYS)
    .updateMany({ about: { $in: ids } }, { $set: { erasedAt: at }, $unset: { reply: true } });
}

/** Deletes the stored replies to callers without an account who submitted to these forms. */
export async function deleteRepliesOfForms(
  store: Pick<DocumentStore, 'collection'>,
  formIds: readonly string[],
): Promise<void> {
  if (formIds.length === 0) return;
  await store.collection<IdempotencyRecord>(IDEMPOTENCY_KEYS).deleteMany({ formId: { $in: formIds } });
}

/** Of what the reply shows as a whole. */
function idIn({ data }: Reply): string | undefined {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  return typeof id === 'string' ? id : undefined;
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
