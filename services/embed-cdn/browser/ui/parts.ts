import type { PublicForm, say } from '@svcforms/contracts';
import type { watch } from '../parts/token.ts';
import type { Body, Control, Field } from './control.ts';
import type { Tell } from './spoken.ts';

/** A chunk with its style sheet. */
interface Part {
  styles: string;
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
  /** Conditions, steps, and limits of values. */
  rules: Part & {
    visibleControls: (controls: readonly Control[]) => Control[];
    stepsOf: (controls: readonly Control[]) => number[];
    createProgress: (tell: Tell) => { node: HTMLElement; show: (n: number, total: number) => void };
    setLimits: (input: HTMLInputElement, field: Field) => void;
    limitProblem: (field: Field, validity: Partial<ValidityState>, value: unknown, tell: Tell) => string;
    say: typeof say;
  };
  /** Tokens of forms with spam protection. */
  token: Part & { watch: (node: HTMLElement, url: string) => ReturnType<typeof watch> };
  /** Popups other than modals. */
  placements: Part & {
    place: (dialog: HTMLDialogElement, form: PublicForm, dismiss: () => void) => (() => void) | undefined;
  };
}

export type PartLoaders = { [Name in keyof Parts]: () => Promise<Parts[Name]> };

/** The loaded parts. */
export const parts: Partial<Parts> = {};

export const isChoice = ({ type }: Field): boolean => /^(select|radio|check|rating|con)/.test(type);

export const isBlock = ({ type }: Field): boolean => /^(hea|par|im|div)/.test(type);

/** The texts of content and of consents are formatted, and so are links in labels. */
const isFormatted = (field: Field): boolean =>
  isBlock(field) || field.type === 'consent' || /]\((http|mailto:)/i.test(field.label ?? '');

/** Texts have length limits only if the form sets them. */
const isRuled = ({ type, showIf, step = 1, minLength, maxLength }: Field): unknown =>
  /^(num|date|time)/.test(type) || showIf || step > 1 || (minLength ?? maxLength) !== undefined;

/** Loads the parts that a form needs and that are missing. */
export async function loadParts(
  { fields, theme, intro, spam, placement = 'modal' }: PublicForm,
  load: PartLoaders,
): Promise<void> {
  await Promise.all([
    (intro || fields.some(isFormatted)) && load.content().then((part) => (parts.content = part)),
    fields.some(isRuled) && load.rules().then((part) => (parts.rules = part)),
    fields.some(isChoice) && load.choices().then((part) => (parts.choices = part)),
    (theme?.logo || theme?.cover) && load.pictures().then((part) => (parts.pictures = part)),
    spam && load.token().then((part) => (parts.token = part)),
    /^[sbf]/.test(placement) && load.placements().then((part) => (parts.placements = part)),
  ]);
}
