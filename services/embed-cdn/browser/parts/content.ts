import { parseLinks, parseMarkdown, type Inline } from '@svcforms/contracts';
import type { Field } from '../ui/control.ts';
import { element } from '../ui/dom.ts';

/** Creates the nodes of a label, with its links. */
export function formatLabel(label: string): DocumentFragment {
  return fragment(parseLinks(label));
}

/** Creates the nodes of a formatted text. Never parses HTML. */
export function formatText(text: string): HTMLElement {
  return element(
    'div',
    { className: 'prose' },
    ...parseMarkdown(text).map((block) =>
      'items' in block
        ? element('ul', {}, ...block.items.map((item) => element('li', {}, fragment(item))))
        : element(
            'p',
            {},
            ...block.lines.flatMap((line, index) => [index > 0 && element('br'), fragment(line)]),
          ),
    ),
  );
}

/** Creates a heading, a paragraph, a picture or a divider. */
export function createBlock({ type, label = '', src = '', alt = '' }: Field): HTMLElement {
  if (type === 'divider') return element('hr', { className: 'block' });
  if (type === 'paragraph') return element('div', { className: 'block' }, formatText(label));
  if (type === 'image') {
    const picture = element('img', {
      className: 'block picture',
      alt,
      decoding: 'async',
      referrerPolicy: 'no-referrer',
    });
    picture.src = src;
    return picture;
  }
  // One level below the title of the form.
  const level = document.querySelector('h1') ? 'h3' : 'h2';
  return element(level, { className: 'block heading' }, formatLabel(label));
}

function fragment(pieces: readonly Inline[]): DocumentFragment {
  const made = new DocumentFragment();
  made.append(
    ...pieces.map((piece) => {
      if (typeof piece === 'string') return piece;
      if ('strong' in piece) return element('strong', {}, fragment(piece.strong));
      if ('em' in piece) return element('em', {}, fragment(piece.em));
      const { href, text } = piece;
      // A link must not take visitors away from what they typed.
      return element('a', { href, rel: 'noopener', ...(/^http/i.test(href) && { target: '_blank' }) }, text);
    }),
  );
  return made;
}

export const styles = `
a{color:inherit;text-decoration:underline;text-decoration-color:var(---mark);text-underline-offset:.16em;border-radius:2px}
.block{margin:0 0 calc(var(---s)*1.2)}
.prose :is(p,ul){margin:0 0 .6em;white-space:normal}
.prose :last-child{margin-bottom:0}
.prose ul{padding-inline-start:1.3em}
h2+.prose,h1+.prose{margin:calc(var(---s)*-.6) 0 calc(var(---s)*1.3);color:var(---m)}
.block.heading{font-size:1.1em;font-weight:650;line-height:1.3;letter-spacing:0;margin:calc(var(---s)*1.8) 0 calc(var(---s)*.8);padding:0}
hr.block{border:0;border-top:1px solid var(---hair);margin-block:calc(var(---s)*1.6)}
.picture{display:block;width:100%;aspect-ratio:16/9;object-fit:contain;background:var(---soft);border-radius:var(---r);color:var(---m);font-size:.875em}
.option.consent{align-items:flex-start;padding:.35em 0}
.option.consent input{margin-top:.12em}
.bar .block{flex:1 0 100%;margin:0}
.bar :is(hr,.picture){display:none}
.bar .prose{margin:0;flex:1 0 100%}
@media(forced-colors:active){a{color:LinkText}}
`.replace(/\n/g, '');
