import { validationFailed } from '@svcforms/contracts';
import type { Collection, Filter, StoredDocument } from '@svcforms/document-store';

const NEWEST_FIRST = ['-createdAt', '-_id'] as const;
/** Documents may be large, and round trips take long. */
const SEARCHED_AT_ONCE = 250;

export interface PageRequest<T> {
  limit: number;
  cursor?: string | undefined;
  /** A further condition, which the store can't express; as many documents are read as it takes to fill the page. */
  matches?: (document: T) => boolean;
}

/**
 * One page of a list, newest first by (createdAt, id). The cursor is opaque to clients.
 * @throws AppError `VALIDATION_FAILED` for a cursor that isn't one of ours.
 */
export async function findPage<T extends StoredDocument & { createdAt: string }>(
  collection: Collection<T>,
  filter: Filter,
  { limit, cursor, matches }: PageRequest<T>,
): Promise<{ items: T[]; pagination: { nextCursor: string | null; limit: number } }> {
  const items: T[] = [];
  const wanted = limit + 1;
  const batch = matches ? Math.max(wanted, SEARCHED_AT_ONCE) : wanted;
  let after = cursor === undefined ? undefined : decodeCursor(cursor);
  for (;;) {
    const found = await collection.find(filter, {
      sort: NEWEST_FIRST,
      limit: batch,
      ...(after && { after }),
    });
    items.push(...(matches ? found.filter(matches) : found));
    const last = found.at(-1);
    if (items.length >= wanted || found.length < batch || !last) break;
    after = [last.createdAt, last._id];
  }
  const last = items[limit - 1];
  const nextCursor = items.length > limit && last ? encodeCursor([last.createdAt, last._id]) : null;
  return { items: items.slice(0, limit), pagination: { nextCursor, limit } };
}

function encodeCursor(keys: readonly [string, string]): string {
  return Buffer.from(keys.join('|')).toString('base64url');
}

function decodeCursor(cursor: string): [string, string] {
  const text = Buffer.from(cursor, 'base64url').toString();
  const isOurs = Buffer.from(text).toString('base64url') === cursor;
  const match = isOurs && /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)\|([a-z]{3}_[0-9A-Z]{26})$/.exec(text);
  if (!match || !match[1] || !match[2]) {
    throw validationFailed([
      { pointer: '/cursor', message: 'is not a cursor of this list; take nextCursor from the page before' },
    ]);
  }
  return [match[1], match[2]];
}
