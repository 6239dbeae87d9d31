import type { Metrics } from '@svcforms/runtime';
import type { Step } from '../routes/request-context.ts';

const OTHER_ROUTES = 'none';

/** Records the duration of every request that gets a response. */
export function measureRequests(metrics: Pick<Metrics, 'observeRequest'>): Step {
  return async function measure(ctx, next) {
    const startedAt = performance.now();
    await next();
    const { route = OTHER_ROUTES } = ctx.state;
    // Clients could create any number of time series with invented methods.
    const method = route === OTHER_ROUTES ? 'other' : ctx.method;
    const seconds = (performance.now() - startedAt) / 1000;
    metrics.observeRequest({ method, route, status: ctx.status, seconds });
  };
}
