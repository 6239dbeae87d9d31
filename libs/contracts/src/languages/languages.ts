/** The languages in which visitors can read a form, as BCP 47 tags. ADR 0067 */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt-BR',
  'nl',
  'pl',
  'tr',
  'ja',
  'zh-CN',
  'ar',
] as const;
export type Language = (typeof LANGUAGES)[number];

/** Language and script of a tag, such as `zh Hans` for `zh-SG`. Undefined for a malformed tag. */
function scriptOf(tag: string): string | undefined {
  try {
    // `und` would become English.
    if (/^und/i.test(tag)) return undefined;
    const { language, script } = new Intl.Locale(tag).maximize();
    return `${language} ${script}`;
  } catch {
    return undefined;
  }
}

/**
 * Returns the language for the first tag that has one. A tag matches a language with the same
 * script, in any region: `de-AT` is `de`, `pt-PT` is `pt-BR`, but `zh-TW` isn't `zh-CN`.
 * Malformed and unknown tags are skipped. docs/reference/forms.md#languages
 */
export function matchLanguage(
  tags: readonly (string | null | undefined)[],
  offered: readonly Language[] = LANGUAGES,
): Language | undefined {
  for (const tag of tags) {
    const script = scriptOf(tag ?? 'und');
    const found = script && offered.find((language) => scriptOf(language) === script);
    if (found) return found;
  }
  return undefined;
}

/** The tags of an `Accept-Language` header, the preferred one first (RFC 9110, section 12.5.4). */
export function acceptedLanguages(header = ''): string[] {
  return header
    .slice(0, MAX_HEADER_LENGTH)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const quality = parameters.find((text) => /^q=/i.test(text))?.slice(2);
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

/** A tag in its usual spelling (`de-at` → `de-AT`). Undefined for a malformed or overlong one. */
export function canonicalTag(tag: string | undefined): string | undefined {
  try {
    return tag && tag.length <= MAX_TAG_LENGTH ? Intl.getCanonicalLocales(tag)[0] : undefined;
  } catch {
    return undefined;
  }
}

/** RFC 5646, section 4.4.1. */
const MAX_TAG_LENGTH = 35;
const MAX_HEADER_LENGTH = 500;

/** The direction in which a language is read. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr');
