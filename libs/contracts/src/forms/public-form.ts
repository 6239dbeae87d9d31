import { TEXT_TYPES } from './field-types.ts';
import { readFieldValue } from './field-value.ts';
import { storedCondition, storedJumps } from './field-values.ts';
import { LANGUAGES, type Language } from '../languages/languages.ts';
import type { FormField } from './form-field.ts';
import { localizedForm, offeredLanguages, translatedLanguages } from './localized-form.ts';
import type { FormDefinition } from './form.ts';
import type { FormSettings } from './form-settings.ts';
import { closingText } from './closing.ts';
import type { Jump } from './logic.ts';
import type { Ending } from './logic-schema.ts';
import { pipe } from './pipe.ts';
import { isPopup } from './placement.ts';

/**
 * The part of a form that every visitor may read, as `/embed/forms/{id}.json` returns it. See
 * docs/reference/embed.md#public-form-data.
 */
export interface PublicForm extends Pick<
  FormSettings,
  'popup' | 'placement' | 'position' | 'theme' | 'submitLabel' | 'thankYou' | 'keepDraft'
> {
  id: string;
  /** The heading of the form and the accessible name of its dialog, if there is no title. */
  name: string;
  title?: string;
  intro?: string;
  fields: FormField[];
  /**
   * What is shown instead of the form, by language, when it is closed. Its fields are left out
   * then.
   */
  closed?: Partial<Record<Language, { title: string; message: string }>>;
  /** Whether answers decide what is shown, or are in texts. Absent: no. */
  hasLogic?: true;
  jumps?: Jump[];
  endings?: Ending[];
  /** The language of the form's own texts, if the form names it. */
  language?: Language;
  /** The languages that it has translations in, which browsers load one at a time. */
  languages?: Language[];
  /** Whether submissions need a token. */
  spam?: true;
}

/**
 * Selects the public properties by name, so that a new property of forms is private by default. See
 * docs/reference/embed.md#public-form-data. The texts are those in the language `shownIn`, as far
 * as there are any. A form that `isClosed` shows its closing text only.
 */
export function publicForm(
  id: string,
  definition: FormDefinition,
  shownIn?: Language,
  isClosed = false,
): PublicForm {
  const { name, title, intro, fields, settings } = localizedForm(definition, shownIn);
  const { popup, placement, position, theme, submitLabel, thankYou, keepDraft, language, jumps, endings } =
    settings;
  const form = new Map(fields.map((field) => [field.name, field]));
  const languages = translatedLanguages(settings);
  // The embed knows only popup mode, which an explicit inline placement switches off.
  const known = popup?.enabled && !isPopup(settings) ? { ...popup, enabled: false } : popup;
  const named = known?.decline ? { ...known, decline: withoutBlank(known.decline, 'text') } : known;
  // Also keeps browsers with a cached older script from opening the form.
  const shown = isClosed ? { enabled: false, ...named, maxShows: 0 } : named;
  return {
    id,
    name,
    ...(title !== undefined && { title }),
    ...(intro !== undefined && !isClosed && { intro }),
    fields: isClosed ? [] : publicFields(fields),
    ...(isClosed && { closed: closedTexts(definition) }),
    ...(shown && { popup: shown }),
    ...(placement && { placement }),
    ...(position && { position }),
    ...(theme && { theme }),
    ...withoutBlank({ submitLabel }, 'submitLabel'),
    ...(thankYou && { thankYou: withoutBlank(thankYou, 'title', 'message') }),
    ...(!isClosed && isLogical(definition) && { hasLogic: true as const }),
    ...(jumps?.length && { jumps: storedJumps(jumps, form) }),
    ...(endings?.length && {
      endings: endings.map((ending) => ({
        ...withoutBlank(ending, 'title', 'message'),
        when: storedCondition(ending.when, form),
      })),
    }),
    ...(keepDraft !== undefined && { keepDraft }),
    ...(language && { language }),
    ...(languages.length > 0 && { languages }),
    ...(settings.spam?.isEnabled && { spam: true as const }),
  };
}

/**
 * Blank texts count as absent: the embed's defaults are better than a field, a button or a heading
 * without a name.
 */
function withoutBlank<T extends object>(texts: T, ...names: (keyof T)[]): T {
  const kept = { ...texts };
  for (const name of names) if (!(kept[name] as string | undefined)?.trim()) delete kept[name];
  return kept;
}

/**
 * What visitors see as the form's title where there are no answers to put into it: on a closed
 * form, and as the title of the hosted page.
 */
export const titleWithoutAnswers = ({ title = '', name }: Pick<PublicForm, 'title' | 'name'>): string =>
  pipe(title, () => '').trim() || name;

/** In the languages that the form is shown in. */
function closedTexts(form: FormDefinition): NonNullable<PublicForm['closed']> {
  const { settings } = form;
  const languages = offeredLanguages(settings) ?? LANGUAGES;
  return Object.fromEntries(
    languages.map((language) => {
      const title = titleWithoutAnswers(localizedForm(form, language));
      return [language, { title, message: closingText(settings, language) }];
    }),
  );
}
/** Whether a form has conditions, jumps, endings or answers in its texts, in any language. */
const isLogical = ({ title, intro, fields, settings }: FormDefinition): boolean =>
  fields.some(({ showIf }) => showIf) ||
  !!settings.jumps?.length ||
  !!settings.endings?.length ||
  JSON.stringify([title, intro, fields, settings]).includes('{{');

/**
 * Prepares fields for the embed's renderer, which is too small to parse values as the server does.
 * Default values and the values of conditions have the stored form. Blank texts are omitted, and so
 * are length limits from types that ignore them.
 */
export function publicFields(fields: readonly FormField[]): FormField[] {
  const form = new Map(fields.map((field) => [field.name, field]));
  return fields.map(({ minLength, maxLength, ...given }) => {
    const field = withoutBlank(given, 'label', 'placeholder', 'help');
    const { type, options, defaultValue, showIf } = field;
    const reading = readFieldValue(field, defaultValue);
    return {
      ...field,
      ...(options && { options: options.map((option) => withoutBlank(option, 'label')) }),
      ...(TEXT_TYPES.includes(type) && { minLength, maxLength }),
      ...('value' in reading && { defaultValue: reading.value as typeof defaultValue }),
      ...(showIf && { showIf: storedCondition(showIf, form) }),
    };
  });
}

/** Tells `/embed/preview` what to show. The dashboard sends it to the frame as a message. */
export type PreviewRequest =
  /** The inline form, at the step with this number; sent again after each change. */
  | { show: 'form'; form: PublicForm; step?: number }
  /** The page after a submission. */
  | { show: 'thankYou'; form: PublicForm }
  /**
   * A page with the saved trigger; once per load. `isGuardOver`: whether the arming guard has
   * ended. `opensNow`: the popup opens without its trigger. `step`: it opens at the step with this
   * number. `keepsFocus`: the popup doesn't take the focus, because the user works in the page
   * around it.
   */
  | {
      show: 'popup';
      form: PublicForm;
      isGuardOver: boolean;
      opensNow: boolean;
      step?: number;
      keepsFocus?: boolean;
    };

/** An event that the preview reports to the page around it, as `{svcPreview}`. */
export type PreviewEvent = 'ready' | 'armed' | 'opened' | 'converted' | 'declined' | 'closed';
