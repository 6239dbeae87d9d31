import { withTimeout } from '@svcforms/primitives';
import type { Metric } from './metrics.ts';

/**
 * Shorter than the time in which a metric must be read, so that a backend that hangs is 0 and not
 * absent.
 */
const RESPONDS_WITHIN_MS = 1_500;

/** Whether each backend responds to this process. `checks` rejects for one that doesn't. */
export function backendUp(checks: Readonly<Record<string, () => Promise<void>>>): Metric {
  return {
    name: 'svc_backend_up',
    help: 'Whether the backend responds to this process: 1 or 0.',
    kind: 'gauge',
    labels: ['backend'],
    read: () =>
      Promise.all(
        Object.entries(checks).map(async ([backend, check]) => ({
          labels: { backend },
          value: (await responds(check)) ? 1 : 0,
        })),
      ),
  };
}

async function responds(check: () => Promise<void>): Promise<boolean> {
  try {
    await withTimeout(check(), RESPONDS_WITHIN_MS);
    return true;
  } catch {
    return false;
  }
}
