const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for use in HTML, between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/**
 * Renders a whole page, in English unless `lang` and `dir` say otherwise. `title` is text; `head`
 * (its lines) and `body` are HTML. The page requests no icon.
 */
export function htmlPage({
  title,
  head,
  body,
  lang = 'en',
  dir = 'ltr',
}: {
  title: string;
  head: readonly string[];
  body: string;
  lang?: string;
  dir?: 'ltr' | 'rtl';
}): string {
  return `<!doctype html>
<html lang="${lang}"${dir === 'rtl' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
${head.join('\n')}
</head>
<body>
${body}
</body>
</html>
`;
}
