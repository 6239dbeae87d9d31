import type { PreviewEvent, PublicForm } from '@svcforms/contracts';
import { spokenIn } from './spoken-in.ts';
import { renderInline } from '../ui/inline.ts';
import { keepValues } from './typed-values.ts';

const focus = Object.getOwnPropertyDescriptor(HTMLElement.prototype, 'focus') ?? {};

/**
 * Shows the form in place of the one before. A form that `keepsValues` has those that were typed
 * into that one.
 */
function showForm(form: PublicForm, keepsValues: boolean, onConverted = () => {}): void {
  document.querySelectorAll('svc-form').forEach((host) => host.remove());
  if (keepsValues) keepValues(form);
  renderInline({
    // The tag isn't in the page, so the form is appended to it.
    tag: document.createElement('script'),
    form: { ...previewed(form), keepDraft: keepsValues },
    spoken: spokenIn(form),
    emit: () => {},
    base: location.origin,
    prefill: false,
    page: false,
    onConverted() {
      postPreviewEvent('converted');
      onConverted();
    },
  });
}

/** The user works in the dashboard, so nothing in the frame may take the focus. */
export function withoutFocus(): void {
  Object.defineProperty(HTMLElement.prototype, 'focus', { ...focus, value: () => {} });
}

function withFocus(): void {
  Object.defineProperty(HTMLElement.prototype, 'focus', focus);
}

const stepOf = (field: PublicForm['fields'][number]) => field.step ?? 1;
let last: { form: PublicForm; step: number } | undefined;

/**
 * Shows the form at the step that the user edits. Other edits leave the user at the step where they
 * are in the preview.
 */
export function followStep(form: PublicForm, step: number): void {
  const fieldsAt = (other: PublicForm) =>
    JSON.stringify(other.fields.filter((field) => stepOf(field) === step));
  const isEdited = last?.step !== step || fieldsAt(last.form) !== fieldsAt(form);
  showStep(form, isEdited ? step : (shownStep(last?.form) ?? step));
  last = { form, step };
}

/** The step of the first field that is visible. */
function shownStep(form: PublicForm | undefined): number | undefined {
  const field = document
    .querySelector('svc-form')
    ?.shadowRoot?.querySelector('.field:not([hidden]) :is(input,select,textarea)');
  const shown = form?.fields[Number(/^f(\d+)/.exec(field?.id ?? '')?.[1] ?? -1)];
  return shown && stepOf(shown);
}

function showStep(form: PublicForm, step: number): void {
  withoutFocus();
  showForm(passable(form, step), true);
  goToStep(form, step);
  queueMicrotask(withFocus);
}

/** The numbers of the visible steps before this one. */
const stepsBefore = (form: PublicForm, step: number) =>
  new Set(
    form.fields
      .filter(({ type }) => type !== 'hidden')
      .map(stepOf)
      .filter((other) => other < step),
  );

/**
 * The form as it is for a visitor who has filled in the steps before: nothing is required in those,
 * and all of their fields are visible. So is a step of which all fields are conditional.
 */
export function passable(form: PublicForm, step: number): PublicForm {
  const before = stepsBefore(form, step);
  const shown = form.fields.filter((field) => field.type !== 'hidden' && stepOf(field) === step);
  const isConditional = before.size > 0 && shown.every(({ showIf }) => showIf);
  const fields = form.fields.map((field) => {
    const { showIf: _, ...always } = field;
    if (isConditional && stepOf(field) === step) return always;
    if (!before.has(stepOf(field))) return field;
    const { required: __, minLength: ___, ...optional } = always;
    return optional;
  });
  return { ...form, fields };
}

/** Leaves the steps before this one, in a form that is `passable`. */
export function goToStep(form: PublicForm, step: number): void {
  const next = document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary');
  // The button of the last step submits.
  const label = spokenIn(form).words.next;
  for (let n = stepsBefore(form, step).size; n > 0 && next?.textContent === label; n--) next.click();
}

/** Shows the thank-you page by submitting a form without fields. */
export function showThankYou(form: PublicForm): void {
  withoutFocus();
  showForm({ ...form, fields: [] }, false, () => queueMicrotask(withFocus));
  document.querySelector('svc-form')?.shadowRoot?.querySelector<HTMLElement>('.primary')?.click();
}

/** Disables drafts and redirects. */
export function previewed(form: PublicForm): PublicForm {
  const { redirectUrl: _, ...thankYou } = form.thankYou ?? {};
  const endings = form.endings?.map(({ redirectUrl: __, ...ending }) => ending);
  return { ...form, keepDraft: false, thankYou, ...(endings && { endings }) };
}

/** Posts an event to the page around the preview. It contains no secrets. */
export function postPreviewEvent(event: PreviewEvent): void {
  parent.postMessage({ svcPreview: event }, '*');
}
