import type { FormView } from '../core/ui.ts';
import { createControl, type Control, type Field } from './control.ts';
import { element } from './dom.ts';
import { createDraft } from './draft.ts';
import { isBlock, parts } from './parts.ts';
import { createTell, type SpokenView } from './spoken.ts';
import { createSubmitter } from './submit.ts';

const TITLE_ID = 'title';

interface RenderedForm {
  node: HTMLElement;
  /** The id of the heading. */
  titleId: string;
  /** Focuses the first field to fill in. */
  focus: () => void;
}

/**
 * Renders a form: fields, steps, errors, and the thank-you page. `extra` is shown next to its
 * buttons.
 */
export function renderForm(view: SpokenView<FormView>, extra?: HTMLElement | false): RenderedForm {
  const { form, prefill, onConverted, spoken, emit } = view;
  const tell = createTell(spoken);
  const heading = document.querySelector('h1') ? 'h2' : 'h1';
  const controls = form.fields.map((field, index) => createControl(field, index, tell));
  const draft = createDraft(form);
  const shownAt = performance.now();
  let step = 0;
  /** The step that the page knows of. */
  let toldStep = 0;
  let isBusy = false;

  const progress = parts.rules?.createProgress(tell);
  const logic = parts.logic?.createLogic(form, controls, spoken.language);
  const visible = () => logic?.visible() ?? controls;
  const whole = element('p', { className: 'error whole', role: 'alert' });
  const back = element('button', { type: 'button', textContent: tell('back') });
  const next = element('button', { className: 'primary', onclick: isFirst });
  const honeypot = element('input', { tabIndex: -1, autocomplete: 'off', name: 'website' });
  const formNode = element(
    'form',
    { noValidate: true, aria: { labelledby: TITLE_ID } },
    element(heading, { id: TITLE_ID }, form.title ?? form.name),
    form.intro && parts.content?.formatText(form.intro),
    progress?.node,
    ...controls.map(({ node }) => node),
    awayFromVisitors(honeypot),
    whole,
    element('div', { className: 'buttons' }, back, next, extra),
  );
  const node = element('div', {}, formNode);
  parts.pictures?.addPictures(node, form);
  const submit = createSubmitter(view, tell('failed'), parts.token?.watch(formNode, view), draft);

  const steps = () => (logic ?? parts.rules)?.stepsOf(controls.filter(onPage)) ?? [1];
  const current = () => {
    const number = steps()[step];
    return visible().filter((control) => onPage(control) && stepOf(control) === number);
  };

  function update(): void {
    const all = steps();
    step = Math.max(0, Math.min(step, all.length - 1));
    if (step !== toldStep) emit('step', { step: (toldStep = step) + 1, index: step, steps: all.length });
    const shown = current();
    for (const control of controls) if (control.node) control.node.hidden = !shown.includes(control);
    progress?.show(step + 1, all.length);
    back.hidden = step === 0;
    next.textContent = step < all.length - 1 ? tell('next') : (form.submitLabel ?? tell('submit'));
    logic?.update(formNode, shown);
  }

  const focus = () => (current().find(({ field }) => !isBlock(field)) ?? next).focus();

  function go(to: number): void {
    step = to;
    update();
    focus();
  }

  /** Shows the errors of these controls and returns the names of their fields. */
  function report(checked: readonly Control[], problemOf: (control: Control) => string): string[] {
    const wrong = checked.filter((control) => {
      const problem = problemOf(control);
      control.show(problem);
      return problem;
    });
    const [first] = wrong;
    if (first) {
      step = steps().indexOf(stepOf(first));
      update();
      first.focus();
    }
    return wrong.map(({ field }) => field.name);
  }

  async function send(): Promise<void> {
    isBusy = true;
    next.ariaDisabled = 'true';
    whole.textContent = '';
    const elapsedMs = Math.round(performance.now() - shownAt);
    const data = valuesOf(visible());
    const { submissionId, code, message, fields } = await submit({ data, elapsedMs, hp: honeypot.value });
    isBusy = false;
    next.ariaDisabled = 'false';
    if (!code) return finish({ submissionId, data });
    const shown = visible().filter(onPage);
    const wrong = report(shown, ({ field }) => sentence(field, fields[field.name], spoken.language));
    if (!wrong.length) whole.textContent = message;
    emit('error', { code, fields: wrong });
  }

  function finish(submitted: Record<string, unknown>): void {
    draft.clear();
    onConverted();
    // A handler of the page may close the popup or leave the page.
    emit('submitted', submitted);
    thank(formNode, heading, { title: tell('thanks'), ...(logic ?? form).thankYou });
  }

  formNode.addEventListener('input', ({ target }) => {
    const control = controls.find(({ node }) => node?.contains(target as Node));
    control?.show('');
    if (control) draft.keep(control.field.name, draftOf(control));
    update();
  });
  formNode.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isBusy) return;
    const fields = report(current(), (control) => control.problem());
    if (fields.length) emit('error', { code: 'VALIDATION_FAILED', fields });
    else if (step < steps().length - 1) go(step + 1);
    else void send();
  });
  back.onclick = (event) => isFirst(event) && go(step - 1);
  writeFirstValues(controls, draft.values, prefill ? location.search : '');
  if (form.closed) end(formNode, heading, form.closed[spoken.language]);
  else update();
  return { node, titleId: TITLE_ID, focus };
}

/** Only scripts that fill in every field find it. */
function awayFromVisitors(honeypot: HTMLInputElement): HTMLElement {
  return element('div', { className: 'away', aria: { hidden: 'true' } }, honeypot);
}

const stepOf = ({ field }: Control) => field.step ?? 1;
const onPage = (control: Control) => control.node;
/**
 * The second click of a double-click hits what the next step has in the same place. As `onclick`,
 * this cancels it.
 */
const isFirst = ({ detail }: MouseEvent) => detail < 2;
const nameOf = ({ type, label, name }: Field) =>
  type === 'consent' ? 'This' : ((label && parts.content?.formatLabel(label).textContent) ?? label ?? name);
/** Only English messages of the service are the end of a sentence. */
const sentence = (field: Field, problem = '', language: string) =>
  problem && language === 'en' ? `${nameOf(field)} ${problem}` : problem;

/** A consent is kept as the text that was agreed to, which may change until the draft is read. */
const draftOf = ({ field, read }: Control): unknown =>
  field.type === 'consent' ? read() && field.label : read();

/** The values to submit: of visible fields that have one. */
function valuesOf(visible: readonly Control[]): Record<string, unknown> {
  return Object.fromEntries(
    visible
      .map(({ field: { name, type, label }, read }): [string, unknown] => {
        const value = read();
        // What the visitor saw may be older than the form.
        return [name, type === 'consent' ? { accepted: value, text: label } : value];
      })
      // `undefined` joins to an empty string.
      .filter(([, value]) => (Array.isArray(value) ? value.length : [value].join())),
  );
}

/**
 * Fills in each field from the draft, else from the page's query string, else with its default
 * value.
 */
function writeFirstValues(
  controls: readonly Control[],
  typed: Record<string, unknown>,
  search: string,
): void {
  const query = new URLSearchParams(search);
  for (const control of controls) {
    const { name, label } = control.field;
    const isConsent = control.field.type === 'consent';
    // A link can't consent for the visitor.
    const given = isConsent ? [] : query.getAll(name);
    const kept = isConsent ? typed[name] === label : typed[name];
    // Controls ignore choices that they don't have, which leaves them their default value.
    for (const value of [
      control.field.defaultValue,
      kept ?? (control.node && given.length ? given : given[0]),
    ])
      if (value !== undefined) control.write(value);
  }
}

/** Replaces the form with the thank-you page, or leaves the page for the redirect URL. */
function thank(
  formNode: HTMLElement,
  heading: 'h1' | 'h2',
  thankYou: FormView['form']['thankYou'] & object,
): void {
  const done = end(formNode, heading, thankYou);
  // With the sign of success, which a closed form doesn't have.
  done.className += ' ok';
  done.focus();
  // A visitor who has closed the popup stays on the page. An absent URL doesn't match either.
  if (done.isConnected && /^https?:/i.test(thankYou.redirectUrl as string))
    location.assign(thankYou.redirectUrl as string);
}

/** Replaces the form with the thank-you page, or with what a closed form says. */
function end(
  formNode: HTMLElement,
  heading: 'h1' | 'h2',
  { title, message }: { title?: string; message?: string } = {},
): HTMLElement {
  const done = element(
    'div',
    { className: 'done', tabIndex: -1, role: 'status' },
    element(heading, { id: TITLE_ID }, title),
    message && element('p', {}, message),
  );
  formNode.replaceWith(done);
  return done;
}
