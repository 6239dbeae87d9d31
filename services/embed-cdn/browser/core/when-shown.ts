/** Runs the callback once the page is shown: a page that is prerendered may never be. */
export function whenShown(run: () => void): void {
  if ((document as Document & { prerendering?: boolean }).prerendering) {
    document.addEventListener('prerenderingchange', run, { once: true });
  } else {
    run();
  }
}
