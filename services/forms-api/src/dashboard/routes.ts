import { AppError } from '@svcforms/contracts';
import { route, sendFile, type Reply, type Route } from '@svcforms/http';
import { randomBytes } from 'node:crypto';
import { NONCE, type DashboardFiles } from './dashboard-files.ts';

/** The paths that the router in the browser handles. */
const PAGES = [
  '/',
  '/login',
  '/forgot-password',
  '/reset-password',
  '/invitation',
  '/forms{/*rest}',
  '/tasks{/*rest}',
  '/developers',
  '/connect{/*rest}',
  '/connect-slack',
  '/settings{/*rest}',
];

/** Everything below these paths is for programs, or belongs to another service. */
const RESERVED = ['.well-known', 'api', 'assets', 'docs', 'embed', 'f'];

/**
 * Scripts and styles come from the build; styles of the component library have the nonce. No page
 * may frame it.
 */
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

/** File names contain a hash of the content. */
const ASSET_HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The dashboard: one page for all its paths, and the files that it loads. */
export function dashboardRoutes(dashboard: () => DashboardFiles): Route[] {
  const sendPage = (): Reply => {
    const nonce = randomBytes(16).toString('base64url');
    return {
      headers: { ...PAGE_HEADERS, 'Content-Security-Policy': contentSecurityPolicy(nonce) },
      content: { type: 'text/html; charset=utf-8', body: dashboard().page.replaceAll(NONCE, nonce) },
    };
  };
  const page = (path: string): Route =>
    route({
      method: 'GET',
      path,
      summary: 'The dashboard',
      access: 'public',
      status: 200,
      isPage: true,
      handler: async () => sendPage(),
    });
  return [
    ...PAGES.map(page),
    route({
      method: 'GET',
      path: '/*path',
      summary: 'The not-found page of the dashboard',
      access: 'public',
      status: 404,
      isPage: true,
      isFallback: true,
      handler: async ({ params }: { params: Readonly<Record<string, string>> }) => {
        const [first = ''] = (params['path'] ?? '').split('/');
        if (RESERVED.includes(first)) throw new AppError('NOT_FOUND', 'There is nothing at this path');
        return sendPage();
      },
    }),
    route({
      method: 'GET',
      path: '/assets/:file',
      summary: 'Get a file of the dashboard',
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
