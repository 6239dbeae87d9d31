import type { Page } from 'playwright-core';

/** Longer words, such as URLs and ids, may break. */
const SHORT_WORDS = String.raw`(?<!\S)\p{L}{2,11}(?!\S)`;

/** The words in tables, by default the short ones, that are broken in the middle of a line. */
export function splitWords(
  page: Page,
  { within = '.data-table td', words = SHORT_WORDS } = {},
): Promise<string[]> {
  const searched = { within, words };
  return page.evaluate(({ within, words }) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const split: string[] = [];
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (!node.parentElement?.closest(within)) continue;
      for (const { 0: word, index } of (node.textContent ?? '').matchAll(new RegExp(words, 'gu'))) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) split.push(word);
      }
    }
    return split;
  }, searched);
}
