import { AppError } from '@svcforms/contracts';
import type { Middleware } from 'koa';
import { errorLine } from '@svcforms/runtime';
import { mayReadMetrics, type MetricsAccess } from './metrics-access.ts';
import type { Metrics } from '@svcforms/runtime';
import { withTimeout } from '@svcforms/primitives';

/** What has to answer for this service to do its work; each resolves or rejects. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/**
 * `/livez` says that the process runs, `/readyz` that it can do its work: 503 with the names of failing checks, and while the
 * process is draining; `?without=bus` leaves that check out, for who wants to know whether requests are answered and not whether
 * events move on; `/metrics` what Prometheus reads. They are for those inside: what came through a reverse proxy in front
 * finds nothing there, unless it has the token of `/metrics`.
 */
export function health(options: {
  checks: ReadinessChecks;
  isDraining: () => boolean;
  /** How many reverse proxies stand in front. */
  trustedProxies: number;
  /** A check that takes longer has failed. */
  checkWithinMs?: number;
  metrics: Pick<Metrics, 'type' | 'text'>;
  metricsAccess?: MetricsAccess | undefined;
}): Middleware {
  const { checks, isDraining, trustedProxies, metrics, checkWithinMs = 2_000 } = options;
  const { metricsAccess = { from: 'anywhere' } } = options;
  return async function health(ctx, next) {
    // Each proxy adds the header; probes and Prometheus, which come directly, have none.
    const isOutside = trustedProxies > 0 && ctx.get('X-Forwarded-For') !== '';
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/metrics') {
      if (!mayReadMetrics(ctx, isOutside ? { ...metricsAccess, from: 'loopback' } : metricsAccess)) {
        if (isOutside) return next();
        throw new AppError(
          'UNAUTHORIZED',
          'Read /metrics from the same machine, or send "Authorization: Bearer" with SVC_METRICS_TOKEN',
          { headers: { 'WWW-Authenticate': 'Bearer' } },
        );
      }
      ctx.body = await metrics.text();
      ctx.type = metrics.type;
      return undefined;
    }
    if (isOutside) return next();
    if (ctx.path === '/livez') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const failures = isDraining()
        ? { draining: 'it was told to stop' }
        : await failuresOf(without(ctx.URL.searchParams.getAll('without'), checks), checkWithinMs);
      const failing = Object.keys(failures);
      if (failing.length > 0) {
        throw new AppError('UNAVAILABLE', `Not ready: ${failing.join(', ')}`, {
          members: { failing },
          // For the log; clients get the names alone.
          cause: new Error(Object.values(failures).join('; ')),
        });
      }
      ctx.body = { status: 'ok' };
    } else {
      return next();
    }
    return undefined;
  };
}

function without(names: readonly string[], checks: ReadinessChecks): ReadinessChecks {
  return Object.fromEntries(Object.entries(checks).filter(([name]) => !names.includes(name)));
}

/** Why, by the name of the check. */
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
