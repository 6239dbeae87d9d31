import type { Refusals, Refuse } from './field-value.ts';
import { TRANSLATED } from '../languages/catalogs.ts';
import type { Language } from '../languages/languages.ts';
import { say, type Values } from '../languages/say.ts';
import type { BrowserWords } from '../languages/catalogs/words.ts';

type Key = Exclude<keyof BrowserWords, 'font'>;

/** Refusals that have no words of their own. Only programs other than our form cause them. */
const SIMPLER: Partial<Record<keyof Refusals, Key>> = {
  rating: 'choose',
  checkbox: 'check',
  consentValue: 'consent',
};

/** Says why a value is refused, to a visitor who reads this language. */
export function refuseIn(language: Exclude<Language, 'en'>): Refuse {
  const { browser, newText, invalidValue } = TRANSLATED[language];
  return (kind, detail) => {
    if (kind === 'newText') return newText;
    const text = browser[(SIMPLER[kind] ?? kind) as Key] ?? invalidValue;
    const values: Values = typeof detail === 'object' || detail === undefined ? {} : { n: detail };
    return say(language, text, values);
  };
}
