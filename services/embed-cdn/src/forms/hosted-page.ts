import {
  CATALOGS,
  directionOf,
  titleWithoutAnswers,
  type FormField,
  type FormSettings,
  type Language,
  type PublicForm,
  type Theme,
} from '@svcforms/contracts';
import { escapeHtml, htmlPage } from '@svcforms/http';
import { hasHost, parseUrl } from '@svcforms/primitives';
import { createHash } from 'node:crypto';

const STYLE =
  'body{margin:0 auto;max-width:77rem;padding:clamp(1rem,5vh,4rem) 1rem;box-sizing:border-box;font:1rem/1.5 system-ui,sans-serif}';
const SYSTEM_SCHEMES = 'light dark';
const styleHash = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/**
 * The origins of URLs, as sources of a policy. Without those whose host is neither a name nor an
 * address: that of `https://a;report-uri` would add a directive.
 */
function sourcesOf(urls: readonly (string | undefined)[]): string[] {
  return urls.flatMap((text) => {
    const url = text === undefined ? null : parseUrl(text);
    return url && hasHost(url) ? url.origin : [];
  });
}

/** Some clients and proxies reject longer headers. Origins that don't fit can't frame the page. */
const MAX_ANCESTORS_LENGTH = 4_096;

/**
 * Returns which sites may frame a form's page: those that may submit it, and ours. Without a list,
 * any site.
 * @param allowedOrigins the form's `settings.allowedOrigins`
 */
function frameAncestors(allowedOrigins: readonly string[] | undefined): string {
  if (!allowedOrigins) return 'frame-ancestors *';
  let sources = "'self'";
  for (const origin of sourcesOf(allowedOrigins)) {
    if (sources.length + origin.length < MAX_ANCESTORS_LENGTH) sources += ` ${origin}`;
  }
  return `frame-ancestors ${sources}`;
}

/** Longer lists of pictures don't fit into the header. */
const MAX_PICTURE_ORIGINS = 20;

/** The origins of the pictures of a form and its theme, as sources of a policy. */
function pictureSources(
  { logo, cover }: Theme = {},
  fields: readonly Pick<FormField, 'src'>[] = [],
): string[] {
  const origins = sourcesOf([logo, cover, ...fields.map(({ src }) => src)]);
  return [...new Set(origins)].slice(0, MAX_PICTURE_ORIGINS).map((origin) => ` ${origin}`);
}

/**
 * Headers of our own pages: no inline code but the one style, and nothing from other origins but
 * the pictures of the form and its theme.
 */
export const pageHeaders = (
  { allowedOrigins, theme }: Pick<FormSettings, 'allowedOrigins' | 'theme'> = {},
  fields?: readonly Pick<FormField, 'src'>[],
) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleHash}`,
    "connect-src 'self'",
    `img-src 'self' data:${pictureSources(theme, fields).join('')}`,
    "base-uri 'none'",
    "form-action 'none'",
    frameAncestors(allowedOrigins),
  ].join('; '),
  'Referrer-Policy': 'strict-origin-when-cross-origin',
});

/** Renders the hosted page of a form in a language: the inline form and nothing else. */
export function hostedPage(form: PublicForm, language: Language): string {
  return page({
    title: titleWithoutAnswers(form),
    main: `<script src="/embed.js" data-svc-form-id="${escapeHtml(form.id)}" data-svc-lang="${language}" data-svc-inline data-svc-hosted data-svc-prefill></script>
<noscript>${escapeHtml(withoutScript(form, language))}</noscript>`,
    schemes: schemesOf(form.theme),
    language,
  });
}

/** A closed form needs no script to say so. */
function withoutScript({ closed }: PublicForm, language: Language): string {
  return closed?.[language]?.message ?? CATALOGS[language].noScript;
}

/**
 * For frames in the dashboard only: a separate origin without network access, except for pictures.
 */
export const PREVIEW_HEADERS = {
  'Content-Security-Policy': [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleHash}`,
    // Unsaved themes have pictures of any origin.
    "img-src 'self' data: https:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'Referrer-Policy': 'no-referrer',
} as const;

/** Renders the page that previews unsaved forms. `file` is the preview script. */
export function previewPage(file: string): string {
  return page({
    title: 'Preview',
    main: `<script type="module" src="/embed/${escapeHtml(file)}"></script>`,
  });
}

/** Shown to people who follow a link to a form that doesn't exist or was removed. */
export function missingPage(language: Language): string {
  const { missingTitle, missingText } = CATALOGS[language];
  const main = `<h1>${escapeHtml(missingTitle)}</h1>\n<p>${escapeHtml(missingText)}</p>`;
  return page({ title: missingTitle, main, language });
}

/** The page has the color scheme of its form; a form that follows the page follows the system. */
function schemesOf({ colorScheme = 'page' }: Theme = {}): string {
  return colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : SYSTEM_SCHEMES;
}

function page({
  title,
  main,
  schemes = SYSTEM_SCHEMES,
  language = 'en',
}: {
  title: string;
  main: string;
  schemes?: string;
  language?: Language;
}): string {
  const scheme = `<meta name="color-scheme" content="${schemes}">`;
  const head = [scheme, '<meta name="robots" content="noindex">', `<style>${STYLE}</style>`];
  const body = `<main>\n${main}\n</main>`;
  return htmlPage({ title, head, body, lang: language, dir: directionOf(language) });
}
