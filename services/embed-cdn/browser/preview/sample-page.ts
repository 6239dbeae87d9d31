import type { TriggerPlan } from '@svcforms/contracts';
import { element } from '../ui/dom.ts';

const PARAGRAPHS = 24;
const TEXT =
  'This stands for a page of yours. Scroll, leave it by its upper edge, stay idle or click, and see when the form opens.';

/** Builds a page of typical length with the elements and events that the triggers observe. */
export function showSamplePage(plan: TriggerPlan): void {
  const conditions = plan.flat();
  const main = document.querySelector('main') ?? document.body;
  main.append(element('h1', {}, 'A page of your site'));
  if (conditions.some(({ trigger }) => trigger === 'intent')) main.append(intentButtons());
  const clicked = conditions.flatMap((one) => (one.trigger === 'click' ? [one.selector] : []));
  const seen = conditions.flatMap((one) => (one.trigger === 'visible' ? [one.selector] : []));
  clicked.forEach((selector) => main.append(standIn(selector)));
  for (let n = 0; n < PARAGRAPHS; n++) main.append(element('p', {}, TEXT));
  seen.forEach((selector) => main.append(standIn(selector)));
  main.append(element('p', {}, 'The end of the page.'));
}

function intentButtons(): HTMLElement {
  const button = (level: string) => {
    const made = element('button', { type: 'button' }, `The session turns ${level}`);
    made.addEventListener('click', () =>
      document.dispatchEvent(new CustomEvent('svc:intent', { detail: { level } })),
    );
    return made;
  };
  return element('p', {}, button('warm'), ' ', button('hot'));
}

/**
 * Creates an element that matches the selector, as far as its simple parts describe one. If that
 * isn't possible, creates a paragraph that says so.
 */
function standIn(selector: string): HTMLElement {
  const simple =
    selector
      .split(',')[0]
      ?.trim()
      .split(/[\s>+~]+/) ?? [];
  const made = simple.map((part, index) => elementOf(part, index < simple.length - 1 ? 'div' : 'button'));
  made.forEach((outer, index) => {
    const inner = made[index + 1];
    if (inner) outer.append(inner);
  });
  const last = made.at(-1);
  const holder = element('p');
  if (last && made[0]) {
    last.append(`What fits ${selector}`);
    if (last instanceof HTMLAnchorElement && !last.hasAttribute('href')) last.href = '#';
    holder.append(made[0]);
  }
  return fits(holder, selector)
    ? holder
    : element('p', {}, `This page can't show an element that fits ${selector}. Yours may have one.`);
}

function elementOf(part: string, usual: string): HTMLElement {
  const name = /^[a-z][a-z0-9-]*/i.exec(part)?.[0] ?? usual;
  // Never creates scripts, frames, or other active elements from typed text.
  const made: HTMLElement = document.createElement(
    /^(a|button|div|span|p|h[1-6]|section|article|footer|header|nav|ul|li|strong|em)$/i.test(name)
      ? name
      : 'div',
  );
  for (const [, sign, value = ''] of part.matchAll(/([.#])([\w-]+)/g)) {
    if (sign === '#') made.id = value;
    else made.classList.add(value);
  }
  for (const [, attribute = '', value = ''] of part.matchAll(/\[(data-[\w-]+)(?:=["']?([^"'\]]*)["']?)?\]/g))
    made.setAttribute(attribute, value);
  return made;
}

function fits(holder: HTMLElement, selector: string): boolean {
  try {
    return !!holder.querySelector(selector);
  } catch {
    return false;
  }
}
