const ELLIPSIS = '…';
/** What belongs to the character before it: marks, joiners, variation selectors and skin tones. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d)/u;
const MAX_STEPS = 32;

/** The first `length` UTF-16 units of a text, or fewer, so that no character is torn apart. */
function startOf(text: string, length: number): string {
  let end = Math.min(length, text.length);
  for (let step = 0; step < MAX_STEPS && end > 0 && isInside(text, end); step += 1) end -= 1;
  // After this many joined characters, only whole code points are kept.
  if (end > 0 && isLowSurrogate(text, end)) end -= 1;
  return text.slice(0, end);
}

function isInside(text: string, at: number): boolean {
  if (at >= text.length) return false;
  return isLowSurrogate(text, at) || CONTINUES.test(text.slice(at, at + 2)) || text[at - 1] === '\u200d';
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}

/**
 * Renders as much of a text as has room, with an ellipsis where it was cut. What `render` returns
 * must not become smaller when the text becomes longer, and not be smaller than the text.
 */
export function fit<T>(
  text: string,
  max: number,
  render: (text: string) => T,
  sizeOf: (rendered: T) => number,
): T {
  if (text.length <= max) {
    const whole = render(text);
    if (sizeOf(whole) <= max) return whole;
  }
  const cutAt = (length: number) => render(startOf(text, length).trimEnd() + ELLIPSIS);
  let low = 0;
  let high = Math.min(text.length, Math.max(max - 1, 0));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(cutAt(middle)) <= max) low = middle;
    else high = middle - 1;
  }
  return cutAt(low);
}

/** Cuts plain text to at most `max` UTF-16 units. */
export const cutText = (text: string, max: number): string =>
  fit(
    text,
    max,
    (cut) => cut,
    (cut) => cut.length,
  );

/** The bytes of a value as JSON, a size for {@link fit}. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
