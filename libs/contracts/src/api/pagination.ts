import { z } from 'zod';

/** Query of every list. docs/reference/api.md#pagination */
export const PageQuery = z
  .strictObject({
    limit: z.coerce
      .number('must be a whole number from 1 to 100')
      .int('must be a whole number from 1 to 100')
      .min(1)
      .max(100)
      .default(25)
      .meta({ description: 'Entries of one page.', example: 25 }),
    cursor: z
      .string()
      .meta({ description: '`nextCursor` of the page before. Absent: the first page.' })
      .optional(),
  })
  .meta({ description: 'Which part of the list.' });
export type PageQuery = z.output<typeof PageQuery>;

export const Pagination = z
  .object({
    nextCursor: z.string().nullable().meta({
      description:
        '`cursor` of the next page; null on the last one. A page of a search may be empty and still have it.',
      example: null,
    }),
    limit: z.int().meta({ description: 'Entries that a page has at most.', example: 25 }),
  })
  .meta({ id: 'Pagination', description: 'Where the list goes on.' });
export type Pagination = z.output<typeof Pagination>;
