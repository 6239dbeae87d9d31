/** The forms of a date in HTTP (RFC 9110, 5.6.7), the two obsolete ones too. `Date.parse` takes a great deal more: "-1" for one. */
const HTTP_DATES = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d [\d:]{8} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/,
];

/**
 * The pause that a `Retry-After` header asks for, in milliseconds from `now`: whole seconds, or an HTTP date (RFC 9110,
 * 10.2.3). Anything else, and a time that has passed, asks for none.
 */
export function retryAfterMs(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATES.some((form) => form.test(text))) return 0;
  const at = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(at) ? 0 : Math.max(0, at - now);
}
