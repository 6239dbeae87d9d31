import type { Language, PublicForm, say } from '@svcforms/contracts';
import type { FormView } from '../core/ui.ts';
import type { Body, Control, Field } from './control.ts';
import type { renderForm } from './form.ts';
import type { createHost } from './shadow.ts';
import type { SpokenView, Tell } from './spoken.ts';
import type { applyTheme } from './theme.ts';

/** A chunk with its style sheet. */
interface Part {
  styles: string;
}

/** The logic of one form. */
export interface Logic {
  /** The controls that are shown, on any step. */
  visible: () => Control[];
  /** The steps that the visitor passes with the answers so far. */
  stepsOf: () => number[];
  /** Fills in answers, announces what has changed on the step, and keeps the focus visible. */
  update: (formNode: HTMLElement, shown: readonly Control[]) => void;
  /** What to say after the submission, by answer. */
  readonly thankYou: PublicForm['thankYou'];
}

/** Parts of the renderer that only some forms need, each in a chunk of its own. */
export interface Parts {
  /** Controls with options, and checkboxes. */
  choices: Part & {
    createBody: (field: Field, id: string, mark: Node | false, label: Node | string) => Body;
  };
  /** The logo and the cover of a theme. */
  pictures: Part & { addPictures: (node: HTMLElement, form: PublicForm) => void };
  /** Content between the fields, links in labels, and formatted texts. */
  content: Part & {
    createBlock: (field: Field) => HTMLElement;
    formatLabel: (label: string) => DocumentFragment;
    formatText: (text: string) => HTMLElement;
  };
  /** Conditions, jumps, endings, and answers in texts. */
  logic: Part & {
    createLogic: (form: PublicForm, controls: readonly Control[], language: Language) => Logic;
  };
  /** Steps, and limits of values. */
  rules: Part & {
    stepsOf: (controls: readonly Control[]) => number[];
    createProgress: (tell: Tell) => { node: HTMLElement; show: (n: number, total: number) => void };
    setLimits: (input: HTMLInputElement, field: Field) => void;
    limitProblem: (field: Field, validity: Partial<ValidityState>, value: unknown, tell: Tell) => string;
    say: typeof say;
  };
  /** Keeps the page behind a modal still on iOS. */
  touch: Part & {
    /** Returns the styles of the page, and what to undo once they are removed. */
    lockBody: () => { styles: string; undo: () => void };
  };
  /** Tokens of forms with spam protection. */
  token: Part & {
    watch: (node: HTMLElement, view: FormView) => ((elapsedMs: number) => Promise<object>) | undefined;
  };
  /** Forms in the page. */
  inline: Part & {
    placeInline: (
      view: SpokenView<FormView & { tag: Element }>,
      host: ReturnType<typeof createHost>,
      render: typeof renderForm,
      theme: typeof applyTheme,
    ) => () => void;
  };
  /** Popups other than modals. */
  placements: Part & {
    place: (dialog: HTMLDialogElement, form: PublicForm, dismiss: () => void) => (() => void) | undefined;
  };
}

/** The loaded parts. */
export const parts: Partial<Parts> = {};

/** Dropdowns (`select`), `radio`, `rating`, checkboxes, and consents. */
export const isChoice = ({ type }: Field): boolean => /^(se|ra|ch|con)/.test(type);

export const isBlock = ({ type }: Field): boolean => /^(hea|par|im|div)/.test(type);

/** The texts of content and of consents are formatted, and so are links in labels. */
const isFormatted = (field: Field): boolean =>
  isBlock(field) || field.type === 'consent' || /]\((http|mailto:)/i.test(field.label ?? '');

/** Texts have length limits only if the form sets them. The words for URLs are rare, too. */
export const isRuled = ({ type, step = 1, minLength, maxLength }: Field): unknown =>
  /^(num|da|ti|ur)/.test(type) || step > 1 || (minLength ?? maxLength) !== undefined;

/** iPads say that they are Macs. */
const isIos = () => /^(iP|Mac)/.test(navigator.platform) && navigator.maxTouchPoints > 1;

/** Whether it is a popup other than a modal. */
export const isPlaced = ({ placement = 'modal' }: PublicForm): boolean => /^[sbf]/.test(placement);

/** Loads the parts that a form needs and that are missing. `load` takes the name of a part. */
export async function loadParts(
  form: PublicForm,
  isInline: boolean,
  load: <Part>(name: string) => Promise<Part>,
): Promise<void> {
  const need = async <Name extends keyof Parts>(name: Name, isNeeded: unknown) => {
    if (isNeeded) parts[name] = await load<Parts[Name]>(name);
  };
  const { fields, theme } = form;
  await Promise.all([
    need('content', form.intro || fields.some(isFormatted)),
    need('logic', form.hasLogic),
    need('rules', fields.some(isRuled)),
    need('choices', fields.some(isChoice)),
    need('pictures', theme?.logo || theme?.cover),
    need('inline', isInline),
    need('placements', isPlaced(form)),
    need('token', form.spam),
    need('touch', isIos()),
  ]);
}
