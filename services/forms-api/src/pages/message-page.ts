import { escapeHtml, htmlPage, type Reply } from '@svcforms/http';
import { createHash } from 'node:crypto';

const STYLE =
  'html{color-scheme:light dark}body{margin:0 auto;max-width:40rem;padding:1.5rem 1rem;box-sizing:border-box;font:1rem/1.5 system-ui,sans-serif}button{font:inherit;padding:.5rem 1rem}';

/** The page runs and loads nothing, can't be framed, and doesn't leak the token in its URL. */
export const MESSAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Responds with a page of this module. */
export const pageReply = (body: string): Reply => ({
  headers: MESSAGE_HEADERS,
  content: { type: 'text/html; charset=utf-8', body },
});

/** A page with a button: programs that follow links in emails send no POST. */
export function questionPage(title: string, text: string, button: string): string {
  return page(
    title,
    `<p>${escapeHtml(text)}</p>
<form method="post"><button>${escapeHtml(button)}</button></form>`,
  );
}

export function messagePage(
  title: string,
  text: string,
  link: { href: string; text: string } | null = null,
): string {
  const more = link ? `\n<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p>` : '';
  return page(title, `<p>${escapeHtml(text)}</p>${more}`);
}

function page(title: string, main: string): string {
  const head = ['<meta name="robots" content="noindex">', `<style>${STYLE}</style>`];
  return htmlPage({ title, head, body: `<main>\n<h1>${escapeHtml(title)}</h1>\n${main}\n</main>` });
}
