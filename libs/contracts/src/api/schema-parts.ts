import { z } from 'zod';
import type { IdPrefix } from './ids.ts';
import { isBlank } from './text-formats.ts';

/** An id in a response. */
export function idOut(prefix: IdPrefix, description: string) {
  return z.string().meta({ description, example: `${prefix}_01J9ZC3V6M8K2Q4R5S7T9W1X3Y` });
}

/** A timestamp in a response: ISO 8601 in UTC with milliseconds. */
export function timeOut(description: string) {
  return z.iso.datetime({ precision: 3 }).meta({ description, example: '2026-03-14T09:26:53.589Z' });
}

/** A timestamp in a response, null if it has no value: ISO 8601 in UTC with milliseconds. */
export function timeOrNullOut(description: string) {
  return z.iso
    .datetime({ precision: 3 })
    .nullable()
    .meta({ description, example: '2026-03-14T09:26:53.589Z' });
}

/**
 * A name or title in a request, stored as it was sent: refuses names of only white space and
 * invisible characters. An empty one has its own message. Responses may still have one from before
 * it was refused.
 */
export const visibleName = (name: z.ZodString) =>
  name.refine((text) => text === '' || !isBlank(text), 'must have a visible character');

/** A count in a response. */
export const countOut = (description: string, example: number) => z.int().meta({ description, example });

/** Reads digits only: `Number` also reads `0x10`, `1e2`, `+5` and spaces around it. */
const readDigits = (input: unknown) =>
  typeof input === 'string' && /^\d+$/.test(input) ? Number(input) : input;

function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
}

/** A whole number as text. */
export const wholeNumberText = (min: number, max: number) => z.preprocess(readDigits, wholeNumber(min, max));

/** A whole number in a query. */
export const wholeNumberIn = ({ min, max, fallback }: { min: number; max: number; fallback: number }) =>
  z.preprocess(readDigits, wholeNumber(min, max).default(fallback));

/** Timestamps are compared as strings, so their years must have four digits in UTC. */
const MIN_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const MAX_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** A timestamp in a request: ISO 8601 with any offset. The output is in UTC with milliseconds. */
export function momentIn(description: string, example: string) {
  return z.iso
    .datetime({
      offset: true,
      error: ({ input }) => (input === undefined ? 'is required' : `must be a time such as ${example}`),
    })
    .refine((text) => !(Date.parse(text) < MIN_TIME || Date.parse(text) > MAX_TIME), {
      error: 'must be between the years 0000 and 9999 (UTC)',
    })
    .transform((text) => new Date(text).toISOString())
    .meta({ description, example });
}

const RETENTION_DAYS = { min: 1, max: 3650 } as const;

/** A retention period in whole days. docs/reference/privacy.md#retention */
export const retentionDays = (description: string) =>
  z.int().min(RETENTION_DAYS.min).max(RETENTION_DAYS.max).meta({ description, example: 90 });

/** For `z.preprocess`: refuses the key `__proto__`, which zod silently drops from records. */
export function refuseProtoKey(input: unknown, context: z.RefinementCtx): unknown {
  if (typeof input === 'object' && input !== null && Object.hasOwn(input, '__proto__')) {
    context.addIssue({ code: 'custom', path: ['__proto__'], message: 'is a reserved key' });
  }
  return input;
}
