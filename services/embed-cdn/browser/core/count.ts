/**
 * Sends a popup event without a preflight or credentials, in a request that outlives the page.
 * docs/reference/popups.md#popup-events
 */
export function count(base: string, formId: string, type: 'shown' | 'converted' | 'declined'): void {
  const url = `${base}/api/forms/${formId}/events`;
  const body = JSON.stringify({ type });
  if (navigator.sendBeacon?.(url, body)) return;
  // The beacon queue is full or unsupported.
  fetch(url, { method: 'POST', body, keepalive: true, credentials: 'omit' }).catch(() => {});
}
