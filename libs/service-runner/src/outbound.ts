import type { Guard, GuardedClient } from '@svcforms/outbound';
import { targetPolicy, type Settings } from '@svcforms/runtime';

/**
 * The check of outbound targets and the client that applies it. Loads them only now, because not
 * every service sends requests.
 * @throws SettingsError, PolicyError
 */
export async function createOutbound(settings: Settings): Promise<{ guard: Guard; client: GuardedClient }> {
  const { createGuard, createGuardedClient, parsePolicy } = await import('@svcforms/outbound');
  const policy = parsePolicy(targetPolicy(settings));
  return { guard: createGuard(policy), client: createGuardedClient(policy) };
}
