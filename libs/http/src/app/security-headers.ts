import type { Middleware } from 'koa';

const YEAR_S = 365 * 24 * 3600;

/**
 * What every answer says unless its handler says otherwise: it is kept nowhere, it is what its type says, and (where the
 * product is reached by https) this host is only ever called by https. Subdomains are the operator's, so HSTS leaves them out.
 */
export function securityHeaders({ baseUrl }: { baseUrl: string }): Middleware {
  const headers = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_S}` }),
  };
  return function securityHeaders(ctx, next) {
    ctx.set(headers);
    // Not the API. A browser doesn't finish a no-store response whose body the page never reads, such as that of a 404.
    if (ctx.path.startsWith('/embed/')) ctx.set('Cache-Control', 'no-cache');
    return next();
  };
}
