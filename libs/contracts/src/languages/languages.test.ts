import { CATALOGS, TRANSLATED } from './catalogs.ts';
import { acceptedLanguages, canonicalTag, LANGUAGES, matchLanguage } from './languages.ts';
import { say } from './say.ts';
import type { Text } from './catalogs/words.ts';

describe('matchLanguage', () => {
  it.each([
    ['de-AT', 'de'],
    ['DE', 'de'],
    ['pt-PT', 'pt-BR'],
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-TW', undefined],
    ['zh-HK', undefined],
    ['zh-Hant', undefined],
    ['sv', undefined],
    ['de_DE', undefined],
    ['und', undefined],
    ['*', undefined],
    ['', undefined],
    ['en-US-u-hc-h12', 'en'],
  ])('matches %s with %s', (tag, language) => {
    expect(matchLanguage([tag])).toBe(language);
  });

  it('takes the next tag if one is unknown, malformed or missing', () => {
    expect(matchLanguage([null, undefined, 'x_', 'sv', 'nl-BE', 'de'])).toBe('nl');
    expect(matchLanguage(['de', 'fr-CA'], ['fr', 'en'])).toBe('fr');
  });
});

describe('acceptedLanguages', () => {
  it('reads tags by their quality, without those of quality 0', () => {
    expect(acceptedLanguages('de;q=0.8, fr-CA , en;q=0, it;q=x,nl; q=0.9')).toEqual(['fr-CA', 'nl', 'de']);
    expect(acceptedLanguages()).toEqual(['']);
  });
});

describe('canonicalTag', () => {
  it('keeps well-formed tags, in their usual spelling', () => {
    expect(['de-at', 'sv', 'x_', 'a'.repeat(36), '', undefined].map(canonicalTag)).toEqual([
      'de-AT',
      'sv',
      ...Array.from({ length: 4 }, () => undefined),
    ]);
  });
});

describe('the catalogs', () => {
  const textsOf = (text: Text) => (typeof text === 'string' ? [text] : Object.values(text));
  const placeholders = (text: string) => text.match(/{\w+}/g)?.sort() ?? [];

  it.each(LANGUAGES)('of %s has every text, with its placeholders and plural forms', (language) => {
    const { browser } = CATALOGS[language];
    const { browser: english } = CATALOGS.en;
    expect(Object.keys({ font: '', ...browser }).sort()).toEqual(
      Object.keys({ font: '', ...english }).sort(),
    );
    for (const [key, text] of Object.entries(english) as [keyof typeof english, Text][]) {
      const said = browser[key] as Text;
      if (typeof said !== 'string') {
        const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
        // Counts of characters are whole and far below a million.
        const needed = forms.filter((form) => form !== 'zero' && (form !== 'many' || /pl|ar/.test(language)));
        expect(Object.keys(said).sort()).toEqual(needed.sort());
      }
      const other = typeof said === 'string' ? said : said.other;
      expect(placeholders(other)).toEqual(placeholders(textsOf(text).at(-1) ?? ''));
    }
  });

  it.each(Object.keys(TRANSLATED) as (keyof typeof TRANSLATED)[])(
    'of %s shares no text with English',
    (language) => {
      const all = (value: unknown): string[] =>
        typeof value === 'string' ? [value] : Object.values(value as object).flatMap(all);
      const english = new Set(all(CATALOGS.en));
      expect(all(TRANSLATED[language]).filter((text) => english.has(text))).toEqual([]);
      if (['ja', 'zh-CN', 'ar'].includes(language)) {
        const { font: _, ...browser } = TRANSLATED[language].browser;
        const words = all({ ...TRANSLATED[language], browser })
          .join(' ')
          .replace(/{\w+}|JavaScript|URL/g, '');
        expect(words).not.toMatch(/[A-Za-z]/);
      }
    },
  );
});

describe('say', () => {
  const { minLength, step, earliest } = TRANSLATED.pl.browser;
  it.each([
    [1, 'Proszę wpisać co najmniej 1 znak.'],
    [3, 'Proszę wpisać co najmniej 3 znaki.'],
    [12, 'Proszę wpisać co najmniej 12 znaków.'],
    [22, 'Proszę wpisać co najmniej 22 znaki.'],
  ])('chooses the plural form of %d', (n, text) => {
    expect(say('pl', minLength, { n })).toBe(text);
  });

  it('formats numbers, dates and times as the language does', () => {
    expect(say('pl', step, { n: 1, total: 2 })).toBe('Krok 1 z 2');
    expect(say('pl', earliest, { n: '2026-03-14' })).toContain('14 marca 2026');
    expect(say('de', '{n}', { n: 12345.5 })).toBe('12.345,5');
    expect(say('de', '{n}', { n: 99.9999 })).toBe('99,9999');
    expect(say('en', '{n}', { n: 0.0005 })).toBe('0.0005');
    expect(say('de', '{n}', { n: '09:05' })).toBe('09:05');
    expect(say('en', '{n}', { n: '21:05:30' })).toMatch(/^9:05:30.PM$/);
    expect(say('de', '{n}', { n: 'soon' })).toBe('soon');
    expect(say('fr', '{n}')).toBe('');
  });
});
