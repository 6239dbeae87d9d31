import { AppError } from '@svcforms/contracts';
import { route, sendFile, type Reply, type Route } from '@svcforms/http';
import { randomBytes } from 'node:crypto';
import { NONCE, type DashboardFiles } from './dashboard-files.ts';

/** Where the browser's own router goes on. What is in none of these is no page: it is answered 404, as a problem. */
const PAGES = ['/', '/login', '/forms{/*rest}', '/tasks{/*rest}', '/settings{/*rest}'];

/** Scripts and styles are the build's; the component library's own styles carry the page's nonce. Nobody may frame it. */
const contentSecurityPolicy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** Their names carry a hash of their content. */
const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The dashboard: one page for all of its addresses, and the files that it loads. */
export function dashboardRoutes(dashboard: () => DashboardFiles): Route[] {
  const page = (path: string): Route =>
    route({
      method: 'GET',
      path,
      summary: 'The dashboard',
      access: 'public',
      status: 200,
      isPage: true,
      handler: async (): Promise<Reply> => {
        const nonce = randomBytes(16).toString('base64url');
        return {
          headers: { ...PAGE_HEADERS, 'Content-Security-Policy': contentSecurityPolicy(nonce) },
          content: { type: 'text/html; charset=utf-8', body: dashboard().page.replaceAll(NONCE, nonce) },
        };
      },
    });
  return [
    ...PAGES.map(page),
    route({
      method: 'GET',
      path: '/assets/:file',
      summary: 'A part of the dashboard',
      access: 'public',
      status: 200,
      isPage: true,
      errors: ['NOT_FOUND'],
      handler: async (request) => {
        const asset = dashboard().assets.get(request.params.file);
        if (!asset) throw new AppError('NOT_FOUND', 'There is no such file');
        return sendFile(asset, request, ASSET_HEADERS);
      },
    }),
  ];
}
