import { z } from 'zod';
import { Pagination } from './pagination.ts';

/** Body of a successful response. See docs/reference/api.md#responses. */
export interface Success<T> {
  success: true;
  message?: string;
  data: T;
}

/** Response body with one page of a list. */
export interface Page<T> extends Success<T[]> {
  pagination: Pagination;
}

const success = z.literal(true).meta({ description: 'true; false in an error response.', example: true });
const message = z.string().meta({ description: 'Description of the result for people.' }).optional();

/** Schema of `Success` with this `data`. */
export function successOf<T extends z.ZodType>(data: T) {
  return z.object({ success, message, data }).meta({ description: 'Success.' });
}

/** Schema of a `Page` of such entries. */
export function pageOf<T extends z.ZodType>(entry: T) {
  return z
    .object({
      success,
      message,
      data: z.array(entry).meta({ description: 'The entries, newest first.' }),
      pagination: Pagination,
    })
    .meta({ description: 'One page of a list.' });
}
