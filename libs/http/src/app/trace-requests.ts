import { traceFields, type Tracing } from '@svcforms/primitives';
import type { RequestContext, Step } from '../routes/request-context.ts';
import { isProbePath } from './health.ts';
import { loggedPath } from './request-log.ts';

/** The names of methods that a span may have, because clients can invent others. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Records each request as a span that continues the trace of the client. Probes are left out. The
 * span ends with the handler, so that a stream of hours is one that opened it.
 */
export function traceRequests(tracing: Tracing): Step {
  return async function traceRequests(ctx, next) {
    if (isProbePath(ctx.path)) return next();
    const method = METHODS.includes(ctx.method) ? ctx.method : '_OTHER';
    const name = method === '_OTHER' ? 'HTTP' : method;
    const span = tracing.startSpan(name, { kind: 'server', parent: tracing.extract(ctx.headers) });
    ctx.state.trace = span.context;
    Object.assign(ctx.state.logFields, traceFields(span.context));
    try {
      await next();
    } finally {
      const { route } = ctx.state;
      span.end({
        name: route === undefined ? name : `${name} ${route}`,
        ...(span.isRecording && { attributes: attributesOf(ctx, method) }),
        error: ctx.status >= 500 ? String(ctx.status) : undefined,
      });
    }
  };
}

/** Neither addresses and headers of clients nor the query, which contains what they search for. */
function attributesOf(ctx: RequestContext, method: string) {
  return {
    'http.request.method': method,
    'http.route': ctx.state.route,
    'url.path': loggedPath(ctx.path),
    'url.scheme': ctx.protocol,
    'http.response.status_code': ctx.status,
  };
}
