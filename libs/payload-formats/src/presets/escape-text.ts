import { parseUrl } from '@svcforms/primitives';
/** A piece of a text: a URL, or what is between URLs. */
export interface Piece {
  text: string;
  isUrl: boolean;
}

/**
 * Without characters that end links in a chat app, and without an ellipsis, which marks a URL that
 * was cut.
 */
const URL_IN_TEXT = /https?:\/\/[^\s<>"'`|\\^{}[\]()…]{1,2000}/g;

/** Begins only where such characters begin. Otherwise a URL of dots would take quadratic time. */
const END_OF_SENTENCE = /(?<![.,:;!?*_~])[.,:;!?*_~]+$/;

/**
 * Splits a text into URLs, which messages link, and the rest, which they escape. A URL that was cut
 * isn't linked.
 */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const add = (piece: string, isUrl: boolean) => void (piece && pieces.push({ text: piece, isUrl }));
  for (const { 0: match, index } of text.matchAll(URL_IN_TEXT)) {
    const url = match.replace(END_OF_SENTENCE, '');
    if (!parseUrl(url) || text[index + url.length] === '…') continue;
    add(text.slice(end, index), false);
    add(url, true);
    end = index + url.length;
  }
  add(text.slice(end), false);
  return pieces;
}

/** So that Markdown, among it links with another text, and mentions show as they were written. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\\*_~`|<>[\]#@]/g, (char) => `\\${char}`);
