import type { AnyDocument, Collection, Filter, StoredDocument } from '@svcforms/document-store';
import { charactersOf, rowsThatFit } from '@svcforms/primitives';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Documents of the first page, whose size isn't known before. */
const FIRST_PAGE = 8;
/** Roughly the characters of a page after the first. */
const PAGE_CHARACTERS = 1024 * 1024;

/**
 * Reads the documents page by page. Other requests run between two pages, because the embedded store reads without waiting.
 *
 * @param order sorts by `createdAt` and `_id`; `limit` is the size of the largest page
 */
export async function* pagesOf<T extends StoredDocument & { createdAt: string }>(
  collection: Pick<Collection<T, AnyDocument>, 'find'>,
  filter: Filter<T>,
  { sort, limit: maxRows }: { sort: string[]; limit: number },
): AsyncGenerator<readonly T[], void, undefined> {
  let after: string[] | undefined;
  let limit = FIRST_PAGE;
  for (;;) {
    const page = await collection.find(filter, { sort, limit, ...(after && { after }) });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    after = [last.createdAt, last._id];
    // Values and bodies are stored as text.
    limit = rowsThatFit(page, charactersOf, { maxRows, maxCharacters: PAGE_CHARACTERS });
    await nextTurn();
  }
}
