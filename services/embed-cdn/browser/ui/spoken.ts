import {
  EN_FORM,
  LANGUAGES,
  matchLanguage,
  type BrowserWords,
  type FormWords,
  type Language,
  type PublicForm,
  type Values,
} from '@svcforms/contracts';
import { readAttribute } from '../core/placement.ts';
import type { Emit } from './events.ts';
import { parts } from './parts.ts';

/** A form with the language that it is shown in, and how it tells the page what happens. */
export type SpokenView<View> = View & { spoken: Spoken; emit: Emit };

/** The language of a form, with its words. */
export interface Spoken {
  language: Language;
  /** Absent if the form has the direction of the page. */
  dir?: 'ltr' | 'rtl' | undefined;
  words: FormWords & Partial<BrowserWords>;
}

export const ENGLISH: Spoken = { language: 'en', words: EN_FORM };

export type Tell = (key: Exclude<keyof BrowserWords, 'font'>, values?: Values) => string;

/**
 * Returns a function that says something in the language. Without a catalog, some texts are vague.
 */
export const createTell =
  ({ language, words }: Spoken): Tell =>
  (key, values) => {
    const text = words[key] ?? words.required;
    return values && parts.rules ? parts.rules.say(language, text, values) : (text as string);
  };

/** The nearest `lang`, even if an element around the shadow tree has it. */
const languageAround = (element: Element | null | undefined): string | null | undefined =>
  element?.closest<HTMLElement>('[lang]')?.lang ||
  (element && languageAround((element.getRootNode() as ShadowRoot).host));

/**
 * Chooses the language: that of the tag, else of the page where the tag is, else of the browser.
 * docs/reference/embed.md#language
 */
export function chooseLanguage(
  { language: own, languages = [] }: PublicForm,
  tag: Element | null = null,
): Pick<Spoken, 'language' | 'dir'> {
  const wanted = matchLanguage([readAttribute(tag, 'lang')]);
  const page = languageAround(tag) || document.documentElement.lang;
  const language =
    matchLanguage([wanted, page, ...navigator.languages], own ? [own, ...languages] : LANGUAGES) ??
    own ??
    'en';
  return {
    language,
    // Texts in an unknown language are probably in that of the page.
    dir: language === 'ar' ? 'rtl' : own || wanted || languages.includes(language) ? 'ltr' : undefined,
  };
}
