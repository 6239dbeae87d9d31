import type { Parts } from '../ui/parts.ts';

/** Safari on iOS ignores `overflow: hidden` on the page. */
export const lockBody: Parts['touch']['lockBody'] = () => {
  const { scrollX: x, scrollY: y } = window;
  return {
    styles: `body:not(#_){position:fixed!important;top:${-y}px!important;left:${-x}px!important;right:0!important}`,
    undo: () => scrollTo({ left: x, top: y, behavior: 'instant' }),
  };
};

export const styles = '';
