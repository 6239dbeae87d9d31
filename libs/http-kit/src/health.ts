import { AppError } from '@svcforms/contracts';
import type { Middleware } from 'koa';
import { lineOf } from './line-of.ts';
import type { Metrics } from './metrics.ts';
import { within } from './within.ts';

/** What has to answer for this service to do its work; each resolves or rejects. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/**
 * `/livez` says that the process runs, `/readyz` that it can do its work: 503 with the names of failing checks, and while the
 * process is draining; `?without=bus` leaves that check out, for who wants to know whether requests are answered and not whether
 * events move on; `/metrics` what Prometheus reads. They are for those inside: what came through a reverse proxy in front
 * finds nothing there.
 */
export function health(options: {
  checks: ReadinessChecks;
  isDraining: () => boolean;
  /** How many reverse proxies stand in front. */
  trustedProxies: number;
  /** A check that takes longer has failed. */
  checkWithinMs?: number;
  metrics: Pick<Metrics, 'type' | 'text'>;
}): Middleware {
  const { checks, isDraining, trustedProxies, metrics, checkWithinMs = 2_000 } = options;
  return async function health(ctx, next) {
    // Each proxy adds the header; probes and Prometheus, which come directly, have none.
    if (trustedProxies > 0 && ctx.get('X-Forwarded-For') !== '') return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
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
    } else if (ctx.path === '/metrics') {
      ctx.body = await metrics.text();
      ctx.type = metrics.type;
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
        await within(withinMs, check());
      } catch (error) {
        failures[name] = `${name}: ${lineOf(error)}`;
      }
    }),
  );
  return failures;
}
