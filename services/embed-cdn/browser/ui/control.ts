import type { PublicForm } from '@svcforms/contracts';
import { element } from './dom.ts';
import { isBlock, isChoice, parts } from './parts.ts';
import type { Tell } from './spoken.ts';

export type Field = PublicForm['fields'][number];

/** A rendered field. */
export interface Control {
  field: Field;
  /** The element in the form. Hidden fields have none. */
  node: HTMLElement | undefined;
  read: () => unknown;
  write: (value: unknown) => void;
  /** The validation error of the current value. Empty if the value is valid. */
  problem: () => string;
  /** Shows a validation error, or removes it if the text is empty. */
  show: (problem: string) => void;
  focus: () => void;
}

export type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The parts of a control that depend on the type of its field. */
export interface Body {
  inputs: Input[];
  /** The label and the inputs. */
  nodes: Node[];
  /** Whether the field is a group of inputs with a legend. */
  isGroup?: boolean;
  /** The role of the group if it isn't that of a fieldset. */
  role?: string;
  read: () => unknown;
  write: (values: string[]) => void;
  /** What to say if the value is missing. Default: `required`. */
  missing?: Parameters<Tell>[0];
  /** Replaces the browser's validation. */
  isMissing?: () => boolean;
}

export function createControl(field: Field, index: number, tell: Tell): Control {
  const { type, label = field.name } = field;
  if (type === 'hidden') return hiddenControl(field);
  if (isBlock(field)) return { ...hiddenControl(field), node: parts.content?.createBlock(field) };
  const id = `f${index}`;
  const { help } = field;
  const mark = !!field.required && element('span', { className: 'mark', aria: { hidden: 'true' } }, ' *');
  const shown = parts.content?.formatLabel(label) ?? label;
  const body = isChoice(field)
    ? (parts.choices as NonNullable<typeof parts.choices>).createBody(field, id, mark, shown)
    : textBody(field, id, mark, shown);
  const { inputs, isGroup, role, read, write, missing = 'required' } = body;
  const error = element('p', { className: 'error', id: `${id}e` });
  const note = help && element('small', { id: `${id}h` }, help);
  const node = element(isGroup ? 'fieldset' : 'div', { className: 'field' }, ...body.nodes, note, error);
  set(node, 'role', role);
  const described = isGroup ? [node] : inputs;

  const show = (problem: string) => {
    error.textContent = problem;
    node.classList.toggle('wrong', !!problem);
    for (const target of described) {
      const ids = [note && `${id}h`, problem && `${id}e`].filter(Boolean).join(' ');
      set(target, 'aria-describedby', ids);
      if (!isGroup || role) set(target, 'aria-invalid', problem && 'true');
    }
  };
  show('');

  return {
    field,
    node,
    read,
    write: (value) => write([value].flat().map(String)),
    problem() {
      if (body.isMissing) return body.isMissing() ? tell(missing) : '';
      const { validity } = inputs.find((input) => !input.validity.valid) ?? {};
      const limit = parts.rules?.limitProblem(field, validity ?? {}, read(), tell);
      // The browser's own words are in its language.
      return limit || (validity ? tell(validity.valueMissing ? missing : (type as 'email' | 'url')) : '');
    },
    show,
    focus: () => (inputs.find((input) => (input as HTMLInputElement).checked) ?? inputs[0])?.focus(),
  };
}

function textBody(field: Field, id: string, mark: Node | false, label: Node | string): Body {
  const { type, required = false, placeholder = '' } = field;
  const common = { id, required, className: 'text', placeholder };
  let input: Input;
  if (type === 'textarea') input = element('textarea', { ...common, rows: 4 });
  else {
    input = element('input', {
      ...common,
      type,
      autocomplete: /em|tel/.test(type) ? (type as AutoFill) : '',
    });
    parts.rules?.setLimits(input, field);
  }
  return {
    inputs: [input],
    nodes: [element('label', { htmlFor: id }, label, mark), input],
    read: () => input.value,
    write([value = '']) {
      const before = input.value;
      input.value = value;
      // The URL may contain text that isn't a number, date or time.
      if (value && !input.value) input.value = before;
    },
  };
}

function hiddenControl(field: Field): Control {
  let kept: unknown = '';
  return {
    field,
    node: undefined,
    read: () => kept,
    write: (value) => (kept = value),
    problem: () => '',
    show() {},
    focus() {},
  };
}

function set(target: Element, name: string, value: string | undefined): void {
  if (value) target.setAttribute(name, value);
  else target.removeAttribute(name);
}
