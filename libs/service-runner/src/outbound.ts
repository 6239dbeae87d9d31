import type { Guard, GuardedClient } from '@svcforms/outbound';
import type { Tracing } from '@svcforms/primitives';
import { targetPolicy, type Settings } from '@svcforms/runtime';

/**
 * The check of outbound targets and the client that applies it. Loads them only now, because not
 * every service sends requests.
 * @throws SettingsError, PolicyError
 */
export async function createOutbound(
  settings: Settings,
  tracing?: Tracing,
): Promise<{ guard: Guard; client: GuardedClient }> {
  const { createGuard, createGuardedClient, parsePolicy, traceClient } = await import('@svcforms/outbound');
  const policy = parsePolicy(targetPolicy(settings));
  return { guard: createGuard(policy), client: traceClient(createGuardedClient(policy), tracing) };
}
