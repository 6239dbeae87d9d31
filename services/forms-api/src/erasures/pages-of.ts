import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { charactersOf, keysetPages, rowsThatFit } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Documents of the first page, whose size isn't known before. */
const FIRST_PAGE = 8;
/** Roughly the characters of a page after the first. */
const PAGE_CHARACTERS = 1024 * 1024;

/**
 * Reads the documents page by page. Other requests run between two pages, because the embedded
 * store reads without waiting.
 *
 * @param order sorts by `createdAt` and `_id`; `limit` is the size of the largest page
 */
export async function* pagesOf<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
  { sort, limit: maxRows }: { sort: string[]; limit: number },
): AsyncGenerator<readonly T[], void, undefined> {
  const pages = keysetPages({
    read: (after: string[] | undefined, limit) =>
      collection.find(filter, { sort, limit, ...(after && { after }) }),
    keyOf: (last) => [last.createdAt, last._id],
    pageSize: FIRST_PAGE,
    // Values and bodies are stored as text.
    nextSize: (page) => rowsThatFit(page, charactersOf, { maxRows, maxCharacters: PAGE_CHARACTERS }),
  });
  for await (const page of pages) {
    yield page;
    await nextTurn();
  }
}
