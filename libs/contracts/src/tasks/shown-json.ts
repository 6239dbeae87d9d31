/**
 * Controls, spaces that look like others, and characters that are invisible or change the direction
 * of text.
 */
const DECEPTIVE =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]|(?! )\p{Zs}/gu;

/**
 * Text that shows what it contains: a character that a reader can't see, or that moves others, is
 * written as an escape, so that it can't look like another text.
 */
export const shownText = (text: string): string => text.replaceAll(DECEPTIVE, escaped);

/** JSON that shows what it contains, so that no argument looks like another one. */
export const shownJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).split('\n').map(shownText).join('\n');

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
