import { traceFields, type Span, type Tracing } from '@svcforms/primitives';
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
  return function traceRequests(ctx, next) {
    if (isProbePath(ctx.path)) return next();
    const parent = tracing.extract(ctx.headers);
    const span = tracing.startSpan(spanName(ctx), { kind: 'server', parent });
    ctx.state.trace = span.context;
    Object.assign(ctx.state.logFields, traceFields(span.context));
    return span.isRecording ? record(span, ctx, next) : next();
  };
}

async function record(span: Span, ctx: RequestContext, next: () => Promise<unknown>): Promise<void> {
  try {
    await next();
  } finally {
    span.end({
      name: spanName(ctx),
      attributes: attributesOf(ctx),
      error: ctx.status >= 500 ? String(ctx.status) : undefined,
    });
  }
}

function spanName(ctx: RequestContext): string {
  const { route } = ctx.state;
  const name = METHODS.includes(ctx.method) ? ctx.method : 'HTTP';
  return route === undefined ? name : `${name} ${route}`;
}

/** Neither addresses and headers of clients nor the query, which contains what they search for. */
function attributesOf(ctx: RequestContext) {
  return {
    'http.request.method': METHODS.includes(ctx.method) ? ctx.method : '_OTHER',
    'http.route': ctx.state.route,
    'url.path': loggedPath(ctx.path),
    'url.scheme': ctx.protocol,
    'http.response.status_code': ctx.status,
  };
}
