import { z } from 'zod';
import { wholeNumberIn } from './schema-parts.ts';

/** Query parameters of every list. See docs/reference/api.md#pagination. */
export const PageQuery = z
  .strictObject({
    limit: wholeNumberIn({ min: 1, max: 100, fallback: 25 }).meta({
      description: 'Maximum number of entries on a page.',
      example: 25,
    }),
    cursor: z
      .string()
      .meta({ description: '`nextCursor` of the previous page. Default: the first page.' })
      .optional(),
  })
  .meta({ description: 'Page of the list.' });
export type PageQuery = z.output<typeof PageQuery>;

export const Pagination = z
  .object({
    nextCursor: z.string().nullable().meta({
      description:
        '`cursor` of the next page; null on the last page. A page of large entries has fewer than `limit`, and a search may return an empty page, with a `nextCursor`.',
      example: null,
    }),
    limit: z.int().meta({ description: 'Maximum number of entries on a page.', example: 25 }),
  })
  .meta({ id: 'Pagination', description: 'Position in the list.' });
export type Pagination = z.output<typeof Pagination>;
