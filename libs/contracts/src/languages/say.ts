import type { Text } from './catalogs/words.ts';

/** Otherwise it rounds to three digits, and a limit of 99.9999 would be shown as 100. */
const ALL_DIGITS = { maximumFractionDigits: 20 };

export type Values = Readonly<Record<string, string | number>>;

/** Fills a text of a catalog, with the plural form and the formats of its language. */
export function say(language: string, text: Text, values: Values = {}): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(language).select(Number(values['n']))] ?? text.other);
  return form.replace(/{(\w+)}/g, (_, name: string) => format(language, values[name] ?? ''));
}

/** Formats a number, a date (`YYYY-MM-DD`) or a time (`HH:MM[:SS]`); other texts stay. */
function format(language: string, value: string | number): string {
  if (typeof value === 'number') return new Intl.NumberFormat(language, ALL_DIGITS).format(value);
  const isTime = value[2] === ':';
  const date = new Date(isTime ? `2000-01-01T${value}Z` : value);
  return isNaN(+date)
    ? value
    : new Intl.DateTimeFormat(language, {
        [isTime ? 'timeStyle' : 'dateStyle']: isTime ? (value[5] ? 'medium' : 'short') : 'long',
        timeZone: 'UTC',
      }).format(date);
}
