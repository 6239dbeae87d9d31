import { escapeHtml } from '@svcforms/http';

/** The content of an email, without markup. */
export interface MailContent {
  subject: string;
  paragraphs: readonly string[];
  rows: readonly (readonly [label: string, value: string])[];
  closing: string;
}

/** Renders the content as plain text and as HTML with every value escaped. */
export function mailText(content: MailContent): { subject: string; text: string; html: string } {
  const { subject, paragraphs, rows, closing } = content;
  const text = [
    ...paragraphs.map(printable),
    rows.map(([label, value]) => `${printable(label)}: ${indented(printable(value))}`).join('\n'),
    printable(closing),
  ].join('\n\n');
  const html = [
    '<!doctype html><html><body style="font-family: sans-serif; color: #222">',
    ...paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`),
    '<table cellpadding="4" style="border-collapse: collapse">',
    ...rows.map(
      ([label, value]) =>
        `<tr><th align="left" valign="top">${escaped(label)}</th><td>${escaped(value)}</td></tr>`,
    ),
    '</table>',
    `<p style="color: #777">${escaped(closing)}</p>`,
    '</body></html>',
  ].join('\n');
  return { subject, text: `${text}\n`, html };
}

function escaped(text: string): string {
  return escapeHtml(printable(text)).replaceAll('\n', '<br>');
}

/** Normalizes line breaks and removes other control characters. */
function printable(text: string): string {
  return text.replace(/\r\n?|[\u2028\u2029]/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
}

/** Indents a value of several lines below its label. */
function indented(text: string): string {
  return text.includes('\n') ? `\n  ${text.replaceAll('\n', '\n  ')}` : text;
}
