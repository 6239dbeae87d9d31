import Router from '@koa/router';
import Koa from 'koa';
import type { RequestListener } from 'node:http';
import type { Logger, Tracing } from '@svcforms/primitives';
import { fastPath } from './fast-path.ts';
import { handlePlainRoute, handleRoute } from './handle-route.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { AuthorizeDeps } from '../auth/authorize.ts';
import { clientAddress } from './client-address.ts';
import { crossOrigin } from './cross-origin.ts';
import { health, type ReadinessChecks } from './health.ts';
import type { WithBody } from './large-bodies.ts';
import type { RunOnce } from './idempotency.ts';
import { measureRequests } from './measure-requests.ts';
import { fallbackPages, otherMethods, ownMethods } from './methods.ts';
import type { Metrics } from '@svcforms/runtime';
import { problems } from './problems.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { LoggedAddress } from './logged-address.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { requestLog } from './request-log.ts';
import type { Step } from '../routes/request-context.ts';
import type { RequestState } from '../routes/request-state.ts';
import type { Route } from '../routes/route.ts';
import { traceRequests } from './trace-requests.ts';
import { securityHeaders } from './security-headers.ts';

/** The codes of errors of a connection that the client or the network ended. */
const DISCONNECTED: ReadonlySet<string | undefined> = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
]);

interface AppOptions {
  routes: readonly Route[];
  /** The prefix of problem types. */
  baseUrl: string;
  /**
   * The number of reverse proxies in front of the service, which decides whose `X-Forwarded-For`
   * entry is the client.
   */
  trustedProxies: number;
  checks: ReadinessChecks;
  isDraining: () => boolean;
  /** Who can read /metrics. Default: all direct clients. */
  metricsAccess?: MetricsAccess | undefined;
  /** How much of a client's address is logged. Default: all of it. */
  logClientIp?: LoggedAddress | undefined;
  /** A readiness check that takes longer counts as failed. */
  checkWithinMs?: number | undefined;
}

export interface AppDeps extends Omit<AuthorizeDeps, 'baseUrl'> {
  withBody: WithBody;
  runOnce: RunOnce;
  audit: AuditLog;
  rateLimits: RateLimits;
  metrics: Metrics;
  /** Absent where tracing is off. */
  tracing?: Tracing | undefined;
  log: Logger;
}

/**
 * Creates an HTTP application from a route table: request ids, logs, problems, health, CORS, and
 * the rules of each route.
 */
export function createApp(options: AppOptions, deps: AppDeps): RequestListener {
  const app = new Koa<RequestState>({
    proxy: options.trustedProxies > 0,
    maxIpsCount: options.trustedProxies,
  });
  /**
   * The error of a body that breaks off is reported twice: as its own, and as the end of the
   * response.
   */
  const logged = new WeakSet<object>();
  app.on('error', (error: { code?: string }) => {
    if (logged.has(error)) return;
    logged.add(error);
    const level = DISCONNECTED.has(error.code) ? 'debug' : 'error';
    deps.log[level]({ event: 'http.connection_failed', err: error }, 'sending a response failed');
  });
  app.use((ctx, next) => {
    ctx.request.ip = clientAddress(ctx.request.ip);
    return next();
  });
  const steps = stepsOf(options, deps);
  for (const step of steps) app.use(step);
  app.use(health({ ...options, metrics: deps.metrics }));

  app.use(crossOrigin(options.routes));
  const routerOf = (routes: readonly Route[]) => {
    const router = new Router<RequestState>();
    for (const route of routes) {
      router.register(route.path, [route.method], handleRoute(route, { ...deps, baseUrl: options.baseUrl }));
    }
    return router;
  };
  const router = routerOf(options.routes.filter(({ isFallback }) => !isFallback));
  app.use(ownMethods(options.routes));
  app.use(router.routes());
  app.use(otherMethods(router));
  app.use(fallbackPages(routerOf(options.routes.filter(({ isFallback }) => isFallback))));
  const respond = app.callback();
  return fastPath(
    {
      routes: options.routes,
      steps,
      handlerOf: (route) => handlePlainRoute(route, deps),
      trustedProxies: options.trustedProxies,
      log: deps.log,
    },
    (request, response) => void respond(request, response),
  );
}

/** What every request goes through, in this order. */
function stepsOf(options: AppOptions, { log, tracing, metrics }: AppDeps): Step[] {
  return [
    requestLog(log, options.logClientIp),
    ...(tracing ? [traceRequests(tracing)] : []),
    securityHeaders(options),
    async function closeWhileDraining(ctx, next) {
      await next();
      // Otherwise the server would wait for another request on a connection that is kept alive.
      if (options.isDraining()) ctx.set('Connection', 'close');
    },
    measureRequests(metrics),
    problems(options),
  ];
}
