/**
 * Resolves when the visitor first sees the page, with that time as `performance.now()`. A page that
 * is prerendered or in a background tab is hidden until then, maybe forever.
 */
export const whenSeen = new Promise<number>((resolve) => {
  const see = () => resolve(performance.now());
  if (document.hidden) document.addEventListener('visibilitychange', see);
  else see();
});
