import type { PublicForm } from '@svcforms/contracts';
import { element } from '../ui/dom.ts';

/** Puts the cover across the top of the form and the logo above its title. */
export function addPictures(node: HTMLElement, { theme: { cover, logo } = {} }: PublicForm): void {
  const picture = (className: string, src: string) => {
    const made = element('img', { className, alt: '', decoding: 'async', referrerPolicy: 'no-referrer' });
    // The space stays, so that the form doesn't move.
    made.addEventListener('error', () => (made.style.visibility = 'hidden'));
    made.src = src;
    return made;
  };
  if (logo) node.querySelector('form')?.prepend(picture('logo', logo));
  if (cover) node.prepend(picture('cover', cover));
}

export const styles = `
img{display:block}
.cover{width:100%;height:clamp(7em,22vw,11em);object-fit:cover;border-radius:var(---r) var(---r) 0 0;background:var(---soft)}
.logo{height:2.75em;max-width:60%;object-fit:contain;object-position:left;margin-bottom:1em}
:dir(rtl)>form>.logo{object-position:right}
`.replace(/\n/g, '');
