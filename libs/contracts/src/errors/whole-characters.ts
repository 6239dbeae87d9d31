/**
 * The first `length` UTF-16 code units of a text, or one less if the last would be half of a
 * character.
 */
export const prefixOf = (text: string, length: number): string =>
  text.length > length ? text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '') : text;

/**
 * A text without what not every document store can hold: NUL and halves of characters (lone
 * surrogates).
 */
export const storableText = (text: string): string => text.replace(/\0|\p{Surrogate}/gu, '');
