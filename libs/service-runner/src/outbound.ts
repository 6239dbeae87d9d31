import {
  createGuard,
  createGuardedClient,
  parsePolicy,
  type Guard,
  type GuardedClient,
} from '@svcforms/outbound';
import { targetPolicy, type Settings } from '@svcforms/runtime';

/** The check of outbound targets and the client that applies it. @throws SettingsError, PolicyError */
export function createOutbound(settings: Settings): { guard: Guard; client: GuardedClient } {
  const policy = parsePolicy(targetPolicy(settings));
  return { guard: createGuard(policy), client: createGuardedClient(policy) };
}
