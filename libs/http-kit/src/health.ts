import { AppError } from '@svcforms/contracts';
import type { Middleware } from 'koa';

const CHECK_WITHIN_MS = 2_000;

/** What has to answer for this service to do its work; each resolves or rejects. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/**
 * `/livez` says that the process runs, `/readyz` that it can do its work: 503 with the names of failing checks, and while the
 * process is draining.
 */
export function health(options: { checks: ReadinessChecks; isDraining: () => boolean }): Middleware {
  return async function health(ctx, next) {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    if (ctx.path === '/livez') {
      ctx.body = { status: 'ok' };
    } else if (ctx.path === '/readyz') {
      const failing = options.isDraining() ? ['draining'] : await failingChecks(options.checks);
      if (failing.length > 0) {
        throw new AppError('UNAVAILABLE', `Not ready: ${failing.join(', ')}`, { members: { failing } });
      }
      ctx.body = { status: 'ok' };
    } else {
      return next();
    }
    return undefined;
  };
}

async function failingChecks(checks: ReadinessChecks): Promise<string[]> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('no answer')), CHECK_WITHIN_MS);
      });
      try {
        await Promise.race([check(), tooLate]);
        return [];
      } catch {
        return [name];
      } finally {
        clearTimeout(timer);
      }
    }),
  );
  return outcomes.flat();
}
