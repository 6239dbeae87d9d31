/**
 * Resolves when the visitor first sees the page, with that time as `performance.now()`, or with
 * `-Infinity` for a page that is seen from the start. A page that is prerendered or in a background
 * tab is hidden until then, maybe forever.
 */
export const whenSeen = new Promise<number>((resolve) => {
  if (document.hidden) document.addEventListener('visibilitychange', () => resolve(performance.now()));
  else resolve(-Infinity);
});
