import { AppError, isAppError } from '@svcforms/contracts';
import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { isoTime, type Clock } from '@svcforms/primitives';
import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import type { Reply } from '../routes/route.ts';

const RETENTION_MS = 24 * 3600 * 1000;
/** A request that takes longer was lost with its process; the next one with its key takes over. */
const LEASE_MS = 30_000;

interface IdempotencyRecord extends StoredDocument {
  /**
   * The account of the caller. Absent without one, and in records of older versions, which expire
   * after a day.
   */
  accountId?: string;
  /** The form that a caller without an account submitted to. */
  formId?: string;
  /** SHA-256 of the request's body and query. */
  fingerprint: string;
  /** The ULID of the id that the request creates. A request that takes over uses it again. */
  ulid: string;
  /** JSON text. Absent while the request runs, or when it ended without a reply. */
  reply?: string;
  /** The id of the resource that the reply shows. */
  about?: string;
  /** When that resource was erased, and the reply with it. ISO 8601. */
  erasedAt?: string;
  /** Until then the request that set it has the key. */
  runningUntil: string;
  expireAt: string;
}

type Reservation = Pick<IdempotencyRecord, 'ulid' | 'runningUntil'>;

export const IDEMPOTENCY_KEYS: CollectionSpec<IdempotencyRecord> = {
  name: 'idempotency_keys',
  indexes: [{ keys: ['about'], sparse: true }],
  expireAt: 'expireAt',
};

interface IdempotentRequest {
  /** The id of the caller. Keys of different callers are independent. */
  caller: string;
  /** The caller's account. Deleting it deletes its records. */
  accountId?: string | undefined;
  /** The form in the path. */
  formId?: string | undefined;
  path: string;
  /** The parameters that the route reads; they decide what is created, as `draft` does. */
  query?: object | undefined;
  /** The value of the header. Without one the request always runs. */
  key: string | undefined;
  rawBody: Buffer;
}

/** Runs `execute` once per key. `ulid` is that of the id that it creates; absent without a key. */
export type RunOnce = (
  request: IdempotentRequest,
  execute: (ulid?: string) => Promise<Reply>,
) => Promise<Reply>;

/**
 * Implements `Idempotency-Key`: the first request with a key runs, and its reply is kept for 24
 * hours. A repeated request gets that reply without one-time secrets. Only successes are kept.
 * docs/reference/api.md#idempotency
 */
export function createIdempotency(deps: { store: DocumentStore; now?: Clock }): RunOnce {
  const { now = Date.now } = deps;
  const records: Collection<IdempotencyRecord> = deps.store.collection(IDEMPOTENCY_KEYS);

  /** Reserves the key, or returns the stored reply. */
  async function reserve(
    _id: string,
    fingerprint: string,
    owner: Pick<IdempotencyRecord, 'accountId' | 'formId'>,
  ): Promise<Reservation | { reply: Reply }> {
    for (;;) {
      const fresh = {
        fingerprint,
        ulid: ulid(),
        runningUntil: isoTime(now() + LEASE_MS),
        expireAt: isoTime(now() + RETENTION_MS),
      };
      const { inserted } = await records.insertMany([{ _id, ...owner, ...fresh }]);
      if (inserted.length > 0) return fresh;

      const first = await records.findOne({ _id });
      if (!first) continue;
      if (first.expireAt <= isoTime(now())) {
        await records.deleteOne({ _id, expireAt: first.expireAt });
        continue;
      }
      if (first.erasedAt !== undefined) {
        throw new AppError(
          'ERASED',
          'The resource that the first request with this Idempotency-Key created was erased',
        );
      }
      const isSame = first.fingerprint === fingerprint;
      if (first.reply === undefined && first.runningUntil <= isoTime(now())) {
        // The first request ended without a reply. The same request continues it; a different one
        // starts over.
        const next = isSame ? { ...fresh, ulid: first.ulid } : fresh;
        if (await records.updateOne({ _id, runningUntil: first.runningUntil }, { $set: next })) return next;
        continue;
      }
      if (!isSame) {
        throw new AppError(
          'IDEMPOTENCY_KEY_REUSED',
          'This Idempotency-Key was used with another body or query. Use a new one.',
        );
      }
      if (first.reply === undefined) {
        throw new AppError(
          'IDEMPOTENCY_IN_PROGRESS',
          'The first request with this Idempotency-Key is still running. Try again.',
          { headers: { 'Retry-After': '1' } },
        );
      }
      const reply = JSON.parse(first.reply) as Reply;
      return { reply: { ...reply, headers: { ...reply.headers, 'Idempotency-Replayed': 'true' } } };
    }
  }

  return async function runOnce({ caller, accountId, formId, path, query, key, rawBody }, execute) {
    if (key === undefined) return execute();
    if (key.length < 1 || key.length > 255) {
      throw new AppError('VALIDATION_FAILED', 'Idempotency-Key must have 1 to 255 characters');
    }
    const _id = createHash('sha256')
      .update(JSON.stringify([caller, path, key]))
      .digest('hex');
    // `draft=false` asks for the same as no parameter.
    const parameters = Object.entries(query ?? {}).filter(
      ([, value]) => value !== undefined && value !== false,
    );
    const fingerprint = createHash('sha256')
      .update(rawBody)
      .update(parameters.length > 0 ? `\n${JSON.stringify(parameters)}` : '')
      .digest('hex');
    // The account of a form isn't known before the form is read.
    const owner = accountId === undefined ? (formId === undefined ? {} : { formId }) : { accountId };
    const reserved = await reserve(_id, fingerprint, owner);
    if ('reply' in reserved) return reserved.reply;
    const own = { _id, runningUntil: reserved.runningUntil };
    let reply: Reply;
    try {
      reply = await execute(reserved.ulid);
    } catch (error) {
      // A rejected request changed nothing. After other failures a repeated request must create the
      // same resource, not another.
      if (isAppError(error) && error.status < 500) await records.deleteOne(own);
      else await records.updateOne(own, { $set: { runningUntil: isoTime(now()) } });
      throw error;
    }
    await records.updateOne(own, {
      $set: { reply: JSON.stringify(withoutSecrets(reply)), about: idIn(reply) },
    });
    return reply;
  };
}

/**
 * Returns a function that erases the stored replies that show one of these resources. Requests with
 * their keys get `ERASED` from then on.
 */
export function createForgetReplies({
  store,
  now,
}: {
  store: Pick<DocumentStore, 'collection'>;
  now: Clock;
}): (ids: readonly string[]) => Promise<void> {
  const records = store.collection<IdempotencyRecord>(IDEMPOTENCY_KEYS);
  return async function forgetReplies(ids) {
    if (ids.length === 0) return;
    await records.updateMany(
      { about: { $in: ids } },
      { $set: { erasedAt: isoTime(now()) }, $unset: { reply: true } },
    );
  };
}

/** Deletes the stored replies to callers without an account who submitted to these forms. */
export async function deleteRepliesOfForms(
  store: Pick<DocumentStore, 'collection'>,
  formIds: readonly string[],
): Promise<void> {
  if (formIds.length === 0) return;
  await store.collection<IdempotencyRecord>(IDEMPOTENCY_KEYS).deleteMany({ formId: { $in: formIds } });
}

/** The id of the resource that the reply shows. */
function idIn({ data }: Reply): string | undefined {
  const id = typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

const ONE_TIME_SECRETS = ['token', 'key', 'secret', 'link'];

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
