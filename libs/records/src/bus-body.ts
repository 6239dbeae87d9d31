import { MAX_BUS_BODY_BYTES } from '@svcforms/contracts';

/** The body for the bus; one that is too large for it stays behind (`null`). */
export function busBody(body: string): string | null {
  // A UTF-16 unit is at most three bytes in UTF-8, so most bodies need no counting.
  const fits = body.length * 3 <= MAX_BUS_BODY_BYTES || Buffer.byteLength(body) <= MAX_BUS_BODY_BYTES;
  return fits ? body : null;
}
