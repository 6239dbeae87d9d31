/**
 * The date formats of HTTP (RFC 9110, 5.6.7), including the two obsolete ones. `Date.parse` accepts
 * much more, for example "-1".
 */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/,
];

/**
 * Returns the pause that a `Retry-After` header asks for, in milliseconds: whole seconds, or the
 * time until an HTTP date (RFC 9110, 10.2.3). Returns 0 for anything else and for a time in the
 * past. docs/reference/webhooks.md#retry-after
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((format) => format.test(text))) return 0;
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
