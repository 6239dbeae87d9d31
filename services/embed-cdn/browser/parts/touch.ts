import type { Parts } from '../ui/parts.ts';

/** Safari on iOS ignores `overflow: hidden` on the page. */
export const lockBody: Parts['touch']['lockBody'] = (set, undos) => {
  const { scrollX: x, scrollY: y } = window;
  set(document.body, { position: 'fixed', top: `${-y}px`, left: `${-x}px`, right: '0' });
  undos.push(() => scrollTo({ left: x, top: y, behavior: 'instant' }));
};

export const styles = '';
