import { z } from 'zod';
import { Pagination } from './pagination.ts';

/** Body of a successful response. docs/reference/api.md#responses */
export interface Success<T> {
  success: true;
  message?: string;
  data: T;
}

/** Body of one page of a list. */
export interface Page<T> extends Success<T[]> {
  pagination: Pagination;
}

const success = z.literal(true).meta({ description: 'true; a failure says false.', example: true });
const message = z.string().meta({ description: 'What was done, for people.' }).optional();

/** Returns the schema of `Success` with `data`. */
export function successOf<T extends z.ZodType>(data: T) {
  return z.object({ success, message, data }).meta({ description: 'It was done.' });
}

/** Returns the schema of a `Page` of entries. */
export function pageOf<T extends z.ZodType>(entry: T) {
  return z
    .object({
      success,
      message,
      data: z.array(entry).meta({ description: 'The entries, newest first.' }),
      pagination: Pagination,
    })
    .meta({ description: 'One page of the list.' });
}
