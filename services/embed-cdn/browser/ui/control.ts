import type { PublicForm } from '@svcforms/contracts';
import { element } from './dom.ts';

export type Field = PublicForm['fields'][number];

/** A rendered field. */
export interface Control {
  field: Field;
  /** The element in the form. Hidden fields have none. */
  node: HTMLElement | undefined;
  read: () => unknown;
  write: (value: unknown) => void;
  /**
   * The validation error of the current value, in the browser's own words where it has some. Empty
   * if the value is valid.
   */
  problem: () => string;
  /** Shows a validation error, or removes it if the text is empty. */
  show: (problem: string) => void;
  focus: () => void;
}

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Field types whose value depends on which inputs are checked. */
const TICKED = /^(radio|rating|checkbox)/;
const AUTOCOMPLETE: Record<string, AutoFill> = { email: 'email', tel: 'tel' };

export function createControl(field: Field, index: number): Control {
  if (field.type === 'hidden') return hiddenControl(field);
  const id = `f${index}`;
  const { type, label = field.name, required = false, help } = field;
  const isGroup = /^(radio|checkboxes|rating)$/.test(type);
  const inputs = createInputs(field, id);
  const error = element('p', { className: 'error', id: `${id}e` });
  const note = help && element('small', { id: `${id}h` }, help);
  const mark = required && element('span', { aria: { hidden: 'true' } }, ' *');
  const parts = isGroup
    ? [
        element('legend', {}, label, mark),
        element('div', { className: type }, ...inputs.map((input) => optionLabel(input, input.title))),
      ]
    : type === 'checkbox'
      ? inputs.map((input) => optionLabel(input, label, mark))
      : [element('label', { htmlFor: id }, label, mark), ...inputs];
  const node = element(isGroup ? 'fieldset' : 'div', { className: 'field' }, ...parts, note, error);
  inputs.forEach((input) => (input.title = ''));
  if (isGroup && type !== 'checkboxes') node.setAttribute('role', 'radiogroup');
  const described = isGroup ? [node] : inputs;

  const show = (problem: string) => {
    error.textContent = problem;
    for (const target of described) {
      const ids = [note && `${id}h`, problem && `${id}e`].filter(Boolean).join(' ');
      set(target, 'aria-describedby', ids);
      if (type !== 'checkboxes') set(target, 'aria-invalid', problem && 'true');
    }
  };
  show('');

  const ticked = () =>
    (inputs as HTMLInputElement[]).filter((input) => input.checked).map((input) => input.value);
  const read = () => {
    if (type === 'checkbox') return ticked().length > 0;
    if (type === 'checkboxes') return ticked();
    return TICKED.test(type) ? (ticked()[0] ?? '') : (inputs[0]?.value ?? '');
  };
  return {
    field,
    node,
    read,
    write(value) {
      const values = [value].flat().map(String);
      for (const input of inputs) {
        if (!TICKED.test(type)) input.value = values[0] ?? '';
        else
          (input as HTMLInputElement).checked = values.includes(type === 'checkbox' ? 'true' : input.value);
      }
    },
    problem() {
      const value = read();
      if (type === 'checkboxes') return required && !ticked().length ? 'Please choose at least one.' : '';
      const invalid = inputs.find((input) => !input.validity.valid);
      return invalid
        ? invalid.validationMessage
        : typeof value === 'string'
          ? lengthProblem(value, field)
          : '';
    },
    show,
    focus: () => (inputs.find((input) => (input as HTMLInputElement).checked) ?? inputs[0])?.focus(),
  };
}

function createInputs(field: Field, id: string): Input[] {
  const { type, required = false, placeholder = '', options = [] } = field;
  const common = { id, required, className: 'text', placeholder };
  if (type === 'textarea') return [element('textarea', { ...common, rows: 4 })];
  if (type === 'select') {
    const choices = options.map(({ value, label = value }) => new Option(label, value));
    return [
      element('select', { id, required, className: 'text' }, new Option(placeholder || '–', ''), ...choices),
    ];
  }
  if (type === 'radio' || type === 'checkboxes' || type === 'rating') {
    const choices = type === 'rating' ? ratingOptions(field) : options;
    return choices.map(({ value, label = value }, index) =>
      element('input', {
        type: type === 'checkboxes' ? 'checkbox' : 'radio',
        name: id,
        id: `${id}o${index}`,
        required: required && type !== 'checkboxes',
        value,
        title: label,
      }),
    );
  }
  if (type === 'checkbox') return [element('input', { id, type, required, value: 'true' })];
  const input = element('input', { ...common, type, autocomplete: AUTOCOMPLETE[type] ?? '' });
  if (type === 'number') input.step = 'any';
  if (type === 'time') input.step = '1';
  if (/^(number|date|time)$/.test(type)) {
    if (field.min !== undefined) input.min = String(field.min);
    if (field.max !== undefined) input.max = String(field.max);
  }
  return [input];
}

function ratingOptions({ min, max }: Field): { value: string; label?: string }[] {
  const from = typeof min === 'number' ? min : 1;
  const to = typeof max === 'number' ? max : 5;
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ value: String(from + index) }));
}

function optionLabel(input: Input, text: string, mark?: HTMLElement | false): HTMLElement {
  return element('label', { className: 'option', htmlFor: input.id }, input, element('span', {}, text, mark));
}

/** Counts characters as readers do. Browsers count UTF-16 code units. */
function lengthProblem(value: string, { minLength = 0, maxLength = Infinity }: Field): string {
  const length = Array.from(value).length;
  if (length && length < minLength) return `Please use at least ${minLength} characters.`;
  return length > maxLength ? `Please use at most ${maxLength} characters.` : '';
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
