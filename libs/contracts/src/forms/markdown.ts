import { prefixOf } from '../errors/whole-characters.ts';

/**
 * A piece of formatted text. `strong` and `em` contain pieces again; a link contains plain text.
 */
export type Inline = string | { href: string; text: string } | { strong: Inline[] } | { em: Inline[] };

/** A paragraph of lines, or a list of items. */
export type Block = { lines: Inline[][] } | { items: Inline[][] };

/** Parentheses come in pairs, as in the URLs of Wikipedia, so that one more ends the link. */
const HREF = String.raw`(?:https?:\/\/|mailto:)(?:[^\s()<>]|\([^\s()<>]*\))+`;
const LINK = String.raw`\[([^[\]]+)\]\((${HREF})\)`;
/** Starts and ends with something else than a space, so that `2 * 3 * 4` isn't italic. */
const EMPHASIZED = String.raw`([^*\s](?:[^*]*[^*\s])?)`;
const LINKS = new RegExp(LINK, 'gi');
const INLINES = new RegExp(String.raw`${LINK}|\*\*${EMPHASIZED}\*\*|\*${EMPHASIZED}\*`, 'gi');
const ITEM = /^\s*[-*]\s+/;

/** Parses links, as in labels. Everything else is text. */
export function parseLinks(text: string): Inline[] {
  return split(text, LINKS);
}

/** A label without its links, for where it can't be formatted. */
export function labelText(label: string): string {
  return label.replace(LINKS, '$1');
}

/**
 * Parses the safe subset of Markdown: paragraphs, line breaks, lists, bold, italic, and links to
 * web pages and email addresses. Anything else is text. See docs/reference/forms.md#formatted-text.
 */
export function parseMarkdown(text: string): Block[] {
  return text
    .trim()
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .map((block) => {
      const lines = block.split('\n').map((line) => line.trim());
      return lines.every((line) => ITEM.test(line))
        ? { items: lines.map((line) => parseInline(line.replace(ITEM, ''))) }
        : { lines: lines.map(parseInline) };
    });
}

/** Formatted text in one line without its formatting, for where it can't be formatted. */
export function markdownText(text: string): string {
  return parseMarkdown(text)
    .flatMap((block) => ('items' in block ? block.items : block.lines))
    .map(inlineText)
    .join(' ');
}

function inlineText(pieces: readonly Inline[]): string {
  const texts = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    if ('href' in piece) return piece.text;
    return inlineText('strong' in piece ? piece.strong : piece.em);
  });
  return texts.join('');
}

function parseInline(line: string): Inline[] {
  return split(line, INLINES);
}

/** Replaces the matches of a pattern in a text. */
function split(text: string, pattern: RegExp): Inline[] {
  const pieces: Inline[] = [];
  let end = 0;
  for (const { 0: whole, 1: label = '', 2: href, 3: strong, 4: em = '', index } of text.matchAll(pattern)) {
    pieces.push(text.slice(end, index));
    if (href) pieces.push({ href, text: label });
    else pieces.push(strong ? { strong: parseLinks(strong) } : { em: parseLinks(em) });
    end = index + whole.length;
  }
  pieces.push(text.slice(end));
  return pieces.filter((piece) => piece !== '');
}

/** The problem with a link of another kind. */
export const unsafeLinkMessage = (link: string): string =>
  `has a link to "${prefixOf(link, 100)}"; links must start with https://, http:// or mailto:, without spaces or nested parentheses (write %20, %28 and %29)`;

/** Returns the first link that leads neither to a web page nor to an email address. */
export function unsafeLink(text: string): string | undefined {
  for (const [, href = ''] of text.matchAll(/\]\(((?:\([^()]*\)|[^)])*)/g)) {
    if (!new RegExp(`^${HREF}$`, 'i').test(href)) return href;
  }
  return undefined;
}
