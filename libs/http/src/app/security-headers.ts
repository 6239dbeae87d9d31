import type { Step } from '../routes/request-context.ts';

const YEAR_S = 365 * 24 * 3600;

/**
 * Sets the headers of every response; a route or its handler can replace them. Responses aren't
 * cached, have the type that they declare, and (when the base URL is https) restrict this host to
 * https. Subdomains belong to the operator, so HSTS leaves them out.
 */
export function securityHeaders({ baseUrl }: { baseUrl: string }): Step {
  const headers = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(baseUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_S}` }),
  };
  return function securityHeaders(ctx, next) {
    ctx.set(headers);
    return next();
  };
}
