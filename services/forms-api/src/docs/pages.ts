import { ERROR_TEXTS, ERRORS, type ErrorCode } from '@svcforms/contracts';
import { escapeHtml, htmlPage, staticFile, type StaticFile } from '@svcforms/http';

const HTML = 'text/html; charset=utf-8';

/** /docs: the viewer of our OpenAPI document. */
export const viewerPage: StaticFile = staticFile(
  HTML,
  page(
    'SvcForms API',
    '<div id="viewer"></div>\n<script src="/docs/swagger-ui-bundle.js"></script>\n<script src="/docs/start.js"></script>',
    ['/docs/swagger-ui.css', '/docs/docs.css'],
  ),
);

/** The viewer's validator is on another host, so it is turned off. */
export const viewerStart: StaticFile = staticFile(
  'text/javascript; charset=utf-8',
  `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#viewer', deepLinking: true, validatorUrl: null });\n`,
);

export const style: StaticFile = staticFile(
  'text/css; charset=utf-8',
  `body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 46rem; margin: 0 auto; padding: 1rem; }
section { margin: 2rem 0; }
section:target { outline: 2px solid currentColor; outline-offset: 0.75rem; }
h2 { font-size: 1.1rem; margin: 0; }
code { font-family: ui-monospace, monospace; }
`,
);

/** /docs/errors: the page that the `type` of every problem links to, with `#CODE`. */
export const errorsPage: StaticFile = staticFile(
  HTML,
  page(
    'SvcForms errors',
    `<main>
<h1>Errors</h1>
<p>Every failure is <code>application/problem+json</code> with one of these codes. The <a href="/docs">API reference</a> lists the codes of each call.</p>
${(Object.keys(ERRORS) as ErrorCode[]).map(errorSection).join('\n')}
</main>`,
    ['/docs/docs.css'],
  ),
);

function errorSection(code: ErrorCode): string {
  const { status, title } = ERRORS[code];
  return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a></h2>
<p><strong>${status}: ${escapeHtml(title)}.</strong> ${escapeHtml(ERROR_TEXTS[code]).replace(/`([^`]+)`/g, '<code>$1</code>')}</p>
</section>`;
}

function page(title: string, body: string, styles: readonly string[]): string {
  return htmlPage({ title, head: styles.map((href) => `<link rel="stylesheet" href="${href}">`), body });
}
