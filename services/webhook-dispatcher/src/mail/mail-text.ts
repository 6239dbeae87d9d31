import { prefixOf } from '@svcforms/contracts';
import { escapeHtml } from '@svcforms/http';

/** The content of an email, without markup. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  rows: readonly (readonly [label: string, value: string])[];
  closing: string;
  /** The URL in the closing that ends these emails, a link in HTML. */
  unsubscribeUrl?: string | undefined;
  /** The URL in the content that the reader should open, a link in HTML. */
  link?: string | undefined;
}

const TIME = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** Formats an ISO 8601 time: `Mar 14, 2026, 09:30 UTC`. The time zone of the reader is unknown. */
export const timeText = (at: string): string => `${TIME.format(new Date(at))} UTC`;

/** Renders the content as plain text and as HTML with every value escaped. */
export function mailText(content: MailContent): { subject: string; text: string; html: string } {
  const { subject, paragraphs, rows, closing, unsubscribeUrl, link } = content;
  const text = [
    ...paragraphs.map(printable),
    rows.map(([label, value]) => `${oneLine(label)}: ${indented(printable(value))}`).join('\n'),
    printable(closing),
  ].join('\n\n');
  const html = [
    '<!doctype html><html><body style="font-family: sans-serif; color: #222; overflow-wrap: anywhere">',
    ...paragraphs.map((paragraph) => `<p>${linked(escaped(paragraph), link)}</p>`),
    '<table cellpadding="4" style="border-collapse: collapse">',
    ...rows.map(
      ([label, value]) =>
        `<tr><th align="left" valign="top" style="min-width: 8em" dir="auto">${escaped(label)}</th><td dir="auto">${value === link ? linked(escaped(value), link) : escaped(value)}</td></tr>`,
    ),
    '</table>',
    `<p style="color: #777">${linked(escaped(closing), unsubscribeUrl)}</p>`,
    '</body></html>',
  ].join('\n');
  return { subject, text: `${text}\n`, html };
}

/**
 * Some programs don't turn a URL into a link themselves. The text of the link to a task omits its
 * token, which is long and means nothing to the reader; the page opens without it too.
 */
function linked(html: string, link: string | undefined): string {
  if (link === undefined) return html;
  const url = escaped(link);
  return html.replaceAll(url, () => `<a href="${url}">${url.replace(/#link=.*/, '')}</a>`);
}

function escaped(text: string): string {
  return escapeHtml(printable(text)).replaceAll('\n', '<br>');
}

/** Normalizes line breaks and removes other control characters. */
function printable(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}

/** The text in one line, for a label or a header: a name from a user may contain line breaks. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/**
 * Cuts a longer text to this length in UTF-16 code units and marks the cut; never cuts a character
 * in half.
 */
export function cut(text: string, length: number): string {
  return text.length > length ? `${prefixOf(text, length - 1)}…` : text;
}

/** Indents a value of several lines below its label. */
function indented(text: string): string {
  return text.includes('\n') ? `\n  ${text.replaceAll('\n', '\n  ')}` : text;
}
