import { parseUrl } from '@svcforms/primitives';
import { z } from 'zod';

/** A whole number in decimal digits. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/**
 * A URL with a host and one of these schemes. White space is refused: the parser drops it, and string
 * operations don't.
 */
export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (text) =>
        schemes.some((scheme) => text.startsWith(`${scheme}://`)) &&
        !/[\s\p{Cc}]/u.test(text) &&
        !!parseUrl(text)?.host,
      `must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );
