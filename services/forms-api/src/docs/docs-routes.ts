import { route, type Reply, type Route, type RouteRequest } from '@svcforms/http-kit';
import { createFiles, type StaticFile } from './files.ts';
import { errorsPage, style, viewerPage, viewerStart } from './pages.ts';

/** Only what we serve ourselves. The viewer sets styles from its scripts, and draws its icons from its style sheet. */
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

/** The API as a document, as pages for people, and what every failure means. `docsFolder` holds openapi.json. */
export function docsRoutes(options: { docsFolder: string }): Route[] {
  const files = createFiles(options);
  const serve = (path: string, summary: string, find: () => StaticFile | Promise<StaticFile>): Route =>
    route({
      method: 'GET',
      path,
      summary,
      access: 'public',
      status: 200,
      isPage: true,
      handler: async ({ headers }: RouteRequest<unknown, unknown, null>) =>
        reply(await find(), headers['if-none-match']),
    });
  return [
    serve('/openapi.json', 'The OpenAPI document', files.openApi),
    serve('/docs', 'The API for people', () => viewerPage),
    serve('/docs/errors', 'What every failure means', () => errorsPage),
    serve('/docs/docs.css', 'How the pages look', () => style),
    serve('/docs/start.js', 'Starts the viewer', () => viewerStart),
    serve('/docs/swagger-ui.css', 'The viewer', () => files.viewer('swagger-ui.css')),
    serve('/docs/swagger-ui-bundle.js', 'The viewer', () => files.viewer('swagger-ui-bundle.js')),
  ];
}

function reply({ type, body, etag }: StaticFile, known: string | undefined): Reply {
  const headers = {
    ETag: etag,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...(type.startsWith('text/html') ? { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } : {}),
  };
  if (known?.split(/, */).includes(etag)) return { status: 304, headers };
  return { content: { type, body }, headers };
}
