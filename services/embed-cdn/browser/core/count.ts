/** Sends a counting event: no preflight, no credentials, and it survives the page. contract: api.md §3 */
export function count(base: string, formId: string, type: 'shown' | 'converted' | 'declined'): void {
  const url = `${base}/api/forms/${formId}/events`;
  const body = JSON.stringify({ type });
  if (navigator.sendBeacon?.(url, body)) return;
  // Its queue is full, or there is none.
  fetch(url, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {});
}
