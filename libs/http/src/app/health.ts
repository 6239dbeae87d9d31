import { AppError, validationFailed } from '@svcforms/contracts';
import type { Middleware } from 'koa';
import { buildInfo, errorLine } from '@svcforms/runtime';
import { mayReadMetrics, type MetricsAccess } from './metrics-access.ts';
import { sendAllowed } from './methods.ts';
import type { Metrics } from '@svcforms/runtime';
import type { RequestState } from '../routes/request-state.ts';
import { withTimeout } from '@svcforms/primitives';

/** The backends that this service needs. A check resolves or rejects. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** What `?without=` may name in every service, whether or not the service has that check. */
const BACKENDS: readonly string[] = ['store', 'bus'];

/** Not rows of the route table: the same in every service. */
const PATHS: readonly string[] = ['/livez', '/readyz', '/metrics', '/version'];
const METHODS: readonly string[] = ['GET', 'HEAD'];

/** Whether probes and monitors request the path all the time. */
export const isProbePath = (path: string): boolean => PATHS.includes(path);

/**
 * Serves `/livez` (the process runs), `/readyz` (it can handle requests) and `/metrics` (for
 * Prometheus). `/readyz` responds 503 with the names of failing checks, and while the process
 * drains; `?without=bus` skips that check, for probes that only need requests handled, not events
 * published. An unknown name is refused, because the probe would check more than it says. Requests
 * through a reverse proxy get 404, except for `/metrics` with the token. `/version` is public.
 */
export function health(options: {
  checks: ReadinessChecks;
  isDraining: () => boolean;
  /** The number of reverse proxies in front. */
  trustedProxies: number;
  /** A check that takes longer counts as failed. */
  checkWithinMs?: number;
  metrics: Pick<Metrics, 'type' | 'text'>;
  metricsAccess?: MetricsAccess | undefined;
}): Middleware<RequestState> {
  const { checks, isDraining, trustedProxies, metrics, checkWithinMs = 2_000 } = options;
  const { metricsAccess = { from: 'anywhere' } } = options;
  return async function health(ctx, next) {
    if (!isProbePath(ctx.path)) return next();
    // Every proxy adds the header. Probes and Prometheus connect directly and send none.
    const isOutside = trustedProxies > 0 && ctx.get('X-Forwarded-For') !== '';
    const isReadable =
      ctx.path === '/metrics'
        ? mayReadMetrics(ctx, isOutside ? { ...metricsAccess, from: 'loopback' } : metricsAccess)
        : ctx.path === '/version' || !isOutside;
    if (isOutside && !isReadable) return next();
    if (!METHODS.includes(ctx.method)) return sendAllowed(ctx, METHODS);
    ctx.state.isProbe = true;
    ctx.state.logFields['route'] = `GET ${ctx.path}`;
    if (!isReadable) {
      throw new AppError(
        'UNAUTHORIZED',
        'Read /metrics from the same machine, or send "Authorization: Bearer" with SVC_METRICS_TOKEN',
        { headers: { 'WWW-Authenticate': 'Bearer' } },
      );
    }
    if (ctx.path === '/version') {
      ctx.body = buildInfo;
    } else if (ctx.path === '/metrics') {
      ctx.body = await metrics.text();
      ctx.type = metrics.type;
    } else {
      if (ctx.path === '/readyz') await needReady([ctx.query['without'] ?? []].flat());
      ctx.body = { status: 'ok' };
    }
    return undefined;
  };

  /**
   * @throws AppError `UNAVAILABLE` that names the failing checks, `VALIDATION_FAILED` for an
   *   unknown one
   */
  async function needReady(ignored: readonly string[]): Promise<void> {
    const known = [...new Set([...BACKENDS, ...Object.keys(checks)])];
    if (ignored.some((name) => !known.includes(name))) {
      const message = `must be ${known.join(' or ')}; repeat the parameter to name several`;
      throw validationFailed([{ pointer: '/without', message }]);
    }
    const failures = isDraining()
      ? { draining: 'the process is stopping' }
      : await failuresOf(without(ignored, checks), checkWithinMs);
    const failing = Object.keys(failures);
    if (failing.length === 0) return;
    throw new AppError('UNAVAILABLE', `Not ready: ${failing.join(', ')}`, {
      members: { failing },
      // For the log. Clients receive only the names.
      cause: new Error(Object.values(failures).join('; ')),
    });
  }
}

function without(names: readonly string[], checks: ReadinessChecks): ReadinessChecks {
  return Object.fromEntries(Object.entries(checks).filter(([name]) => !names.includes(name)));
}

/** The reasons of failed checks, by name. */
async function failuresOf(checks: ReadinessChecks, withinMs: number): Promise<Record<string, string>> {
  const failures: Record<string, string> = {};
  await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withTimeout(check(), withinMs);
      } catch (error) {
        failures[name] = `${name}: ${errorLine(error)}`;
      }
    }),
  );
  return failures;
}
