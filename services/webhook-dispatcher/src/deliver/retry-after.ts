/**
 * The pause that a `Retry-After` header asks for, in milliseconds from `now`: whole seconds, or an HTTP date (RFC 9110,
 * 10.2.3). Anything else, and a time that has passed, asks for none.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` takes a great deal for a date, "-1" for one.
  if (!/^[A-Z][a-z]{2}, .+ GMT$/.test(text)) return 0;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
