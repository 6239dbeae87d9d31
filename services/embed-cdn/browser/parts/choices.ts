import type { Body, Field, Input } from '../ui/control.ts';
import { element } from '../ui/dom.ts';

/** Ratings with more values than this are drawn as numbers unless the form says otherwise. */
const MAX_STARS = 7;

const ICONS: Readonly<Record<string, string>> = {
  stars: 'M12 2.6l2.9 6 6.5.9-4.7 4.6 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.5l6.5-.9z',
  hearts:
    'M12 20.5C5.6 15.6 2.8 12.4 2.8 8.8A4.8 4.8 0 0 1 12 6.9a4.8 4.8 0 0 1 9.2 1.9c0 3.6-2.8 6.8-9.2 11.7z',
};

/** Creates the control of a dropdown, of choices, of a rating, of a checkbox, or of a consent. */
export function createBody(
  field: Field,
  id: string,
  mark: Node | false,
  label: Node | string = field.label ?? field.name,
): Body {
  const { type } = field;
  if (type === 'select') return selectBody(field, id, mark, label);
  if (type === 'checkbox' || type === 'consent') {
    const input = element('input', { id, type: 'checkbox', required: !!field.required, value: 'true' });
    return {
      inputs: [input],
      nodes: [option(input, label, mark, type)],
      missing: type === 'consent' ? type : 'check',
      read: () => input.checked,
      // The page's query may spell it as the service accepts it.
      write([value = '']) {
        const isTick = /^(true|1|on|yes)$/i.test(value);
        if (isTick || /^(false|0|off|no|)$/i.test(value)) input.checked = isTick;
      },
    };
  }
  const isMultiple = type === 'checkboxes';
  const { className, options } =
    type === 'rating' ? ratingOf(field) : { className: type, options: field.options };
  const list = (options ?? []).map(({ value, label: text = value }, index) => ({
    text,
    input: element('input', {
      type: isMultiple ? 'checkbox' : 'radio',
      name: id,
      id: `${id}o${index}`,
      required: !!field.required && !isMultiple,
      value,
    }),
  }));
  const inputs = list.map(({ input }) => input);
  // Screen readers announce that a field is required, but not that a group is, so they read its
  // mark.
  if (mark instanceof Element) mark.ariaHidden = null;
  const ticked = () => inputs.filter((input) => input.checked).map((input) => input.value);
  const group = element(
    'div',
    { className },
    ...list.map(({ input, text }) => option(input, text, icon(className))),
  );
  group.style.setProperty('---n', String(list.length));
  return {
    inputs,
    nodes: [element('legend', {}, label, mark), group],
    isGroup: true,
    ...(isMultiple
      ? { isMissing: () => !!field.required && !ticked().length, missing: 'chooseSome' }
      : { role: 'radiogroup', missing: 'choose' }),
    read: () => (isMultiple ? ticked() : (ticked()[0] ?? '')),
    write(values) {
      const isChosen = ({ value }: Input) => values.includes(value);
      // The page's query may have anything, and the draft an option that was removed.
      if (!values.join('') || inputs.some(isChosen))
        inputs.forEach((input) => (input.checked = isChosen(input)));
    },
  };
}

function selectBody(field: Field, id: string, mark: Node | false, label: Node | string): Body {
  const { placeholder, options = [], required = false } = field;
  const choices = options.map(({ value, label: text = value }) => new Option(text, value));
  const input = element(
    'select',
    { id, required, className: 'text' },
    new Option(placeholder || '–', ''),
    ...choices,
  );
  return {
    inputs: [input],
    nodes: [element('label', { htmlFor: id }, label, mark), element('div', { className: 'select' }, input)],
    missing: 'choose',
    read: () => input.value,
    write([value]) {
      const choice = [...input.options].find((other) => other.value === value);
      if (choice) choice.selected = true;
    },
  };
}

function ratingOf({ min, max, ratingStyle }: Field) {
  const from = typeof min === 'number' ? min : 1;
  const count = Math.max(0, (typeof max === 'number' ? max : 5) - from + 1);
  const style = ratingStyle ?? (from > 0 && count <= MAX_STARS ? 'stars' : 'numbers');
  return {
    className: `rating ${style}`,
    // Prototype.js replaces `Array.from` with a function that maps nothing.
    options: [...Array<unknown>(count)].map((_, index): { value: string; label?: string } => ({
      value: String(from + index),
    })),
  };
}

function option(input: Input, text: Node | string, extra: Node | false, type = ''): HTMLElement {
  const isMark = extra instanceof HTMLElement && extra;
  return element(
    'label',
    { className: `option ${type}`, htmlFor: input.id },
    input,
    extra !== isMark && extra,
    element('span', {}, text, isMark),
  );
}

function icon(className: string): Node | false {
  const path = ICONS[className.split(' ')[1] ?? ''];
  if (!path) return false;
  const create = (name: string, attributes: Record<string, string>) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  };
  const drawing = create('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  drawing.append(create('path', { d: path }));
  return drawing;
}

export const styles = `
.option{font-weight:400;display:flex;gap:.7em;align-items:center;margin:0;cursor:pointer;position:relative;min-height:2.5em}
.option input{appearance:none;width:1.25em;height:1.25em;margin:0;flex:none;border:1px solid var(---line);background:var(---b);font:inherit;cursor:inherit;display:grid;place-items:center}
[type=radio]{border-radius:50%}
[type=checkbox]{border-radius:min(var(---r),.35em)}
.option input:checked{background:var(---a);border-color:var(---mark)}
.option input::before{content:"";width:.8em;height:.8em;background:var(---on);transform:scale(0)}
[type=radio]::before{border-radius:50%;max-width:8px;max-height:8px}
[type=checkbox]::before{clip-path:polygon(14% 44%,0 60%,42% 96%,100% 18%,84% 4%,40% 66%)}
.option input:checked::before{transform:none}
.radio,.checkboxes{display:grid;gap:.5em}
:is(.radio,.checkboxes) .option{border:1px solid var(---hair);border-radius:var(---r);padding:.5em .9em;min-height:2.9em}
:is(.radio,.checkboxes) .option:has(:checked){border-color:var(---mark);box-shadow:inset 0 0 0 1px var(---mark)}
:is(.radio,.checkboxes,.rating) .option:has(:focus-visible){outline:2px solid var(---mark);outline-offset:2px}
:is(.radio,.checkboxes,.rating) input:focus-visible{outline:0}
.wrong .option input,.wrong .numbers .option{border-color:var(---e)}
.rating{display:flex;flex-wrap:wrap;gap:.25em}
.rating .option{justify-content:center;border-radius:var(---r)}
.rating .option input{position:absolute;inset:0;width:100%;height:100%;opacity:0;border-radius:0;z-index:1}
.numbers{display:grid;grid-template-columns:repeat(auto-fit,minmax(2em,1fr));max-width:calc(var(---n)*3.8em)}
:is(.stars,.hearts){margin-inline-start:-.35em}
.numbers .option{height:2.75em;border:1px solid var(---line);font-weight:500}
.numbers .option:has(:checked){background:var(---a);border-color:var(---mark);color:var(---on)}
:is(.stars,.hearts) .option{width:2.75em;height:2.75em}
:is(.stars,.hearts) span{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
svg{width:2.1em;fill:transparent;stroke:var(---line);stroke-width:1.4;stroke-linejoin:round;flex:none;pointer-events:none}
.option:is(:has(:checked),:has(~.option :checked)) svg{fill:var(---a);stroke:var(---mark)}
.wrong svg{stroke:var(---e)}
.select{position:relative}
.select .text{appearance:none;padding-inline-end:2.4em;cursor:pointer;text-overflow:ellipsis}
.select option{background:var(---b);color:var(---t)}
.select::after{content:"";position:absolute;inset-block-start:calc(50% - .4em);inset-inline-end:1.05em;width:.5em;height:.5em;border:solid var(---m);border-width:0 2px 2px 0;transform:rotate(45deg);pointer-events:none}
@media(hover:hover){:is(.radio,.checkboxes,.numbers) .option:hover{border-color:var(---mark)}
.option:is(:hover,:has(~.option:hover)) svg{stroke:var(---mark)}}
@media(prefers-reduced-motion:no-preference){.option input::before,svg,.option{transition:transform .12s,fill .12s,stroke .12s,border-color .12s,background .12s}.option:active svg{transform:scale(.9)}}
@media(forced-colors:active){.option input{appearance:auto}.option:has(:checked){outline:2px solid Highlight;outline-offset:-4px}svg{stroke:CanvasText}.option:is(:has(:checked),:has(~.option :checked)) svg{fill:Highlight}
.numbers .option:has(:checked){forced-color-adjust:none;---a:Highlight;---on:HighlightText;---mark:CanvasText}}
`.replace(/\n/g, '');
