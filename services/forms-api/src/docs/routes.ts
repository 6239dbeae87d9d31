import { route, sendFile, type Route, type StaticFile } from '@svcforms/http';
import { createDocsFiles } from './docs-files.ts';
import { errorsPage, style, viewerPage, viewerStart } from './pages.ts';

/**
 * Only what we serve ourselves. The viewer sets styles from its scripts, and draws its icons from
 * its style sheet.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The pages and the document are responses of the API, which no cache keeps. */
const HEADERS = { 'Referrer-Policy': 'no-referrer' };
const ASSET_HEADERS = { ...HEADERS, 'Cache-Control': 'no-cache' };
const PAGE_HEADERS = { ...HEADERS, 'Content-Security-Policy': CONTENT_SECURITY_POLICY };

function headersOf({ type }: StaticFile) {
  if (type.startsWith('text/html')) return PAGE_HEADERS;
  return type.startsWith('application/json') ? HEADERS : ASSET_HEADERS;
}

/**
 * The OpenAPI document, its viewer, and the page of error codes. `docsFolder` holds openapi.json.
 */
export function docsRoutes(options: { docsFolder: string }): Route[] {
  const files = createDocsFiles(options);
  const serve = (path: string, summary: string, find: () => StaticFile | Promise<StaticFile>): Route =>
    route({
      method: 'GET',
      path,
      summary,
      access: 'public',
      status: 200,
      isPage: true,
      handler: async (request) => {
        const file = await find();
        return sendFile(file, request, headersOf(file));
      },
    });
  return [
    serve('/openapi.json', 'The OpenAPI document', files.openApi),
    serve('/docs', 'The API reference', () => viewerPage),
    serve('/docs/errors', 'The error codes', () => errorsPage),
    serve('/docs/docs.css', 'The style of the pages', () => style),
    serve('/docs/start.js', 'Starts the viewer', () => viewerStart),
    serve('/docs/swagger-ui.css', 'The viewer', () => files.viewer('swagger-ui.css')),
    serve('/docs/swagger-ui-bundle.js', 'The viewer', () => files.viewer('swagger-ui-bundle.js')),
  ];
}
