import type { Guard, GuardedClient, Policy } from '@svcforms/outbound';
import type { Tracing } from '@svcforms/primitives';
import { SettingsError, targetPolicy, type Settings } from '@svcforms/runtime';

/**
 * The check of outbound targets and the client that applies it. Loads them only now, because not
 * every service sends requests.
 * @throws SettingsError
 */
export async function createOutbound(
  settings: Settings,
  tracing?: Tracing,
): Promise<{ guard: Guard; client: GuardedClient }> {
  const { createGuard, createGuardedClient, parsePolicy, traceClient } = await import('@svcforms/outbound');
  const policy = parsePolicyOf(settings, parsePolicy);
  return { guard: createGuard(policy), client: traceClient(createGuardedClient(policy), tracing) };
}

/** The settings of the parts that a policy can refuse. */
const SETTING_OF: Readonly<Record<string, string>> = {
  allowedTargets: 'SVC_ALLOWED_TARGETS',
  ca: 'SVC_TARGET_CA',
  proxy: 'SVC_OUTBOUND_PROXY',
};

/** @throws SettingsError that names the setting which the policy refuses */
function parsePolicyOf(
  settings: Settings,
  parse: (policy: ReturnType<typeof targetPolicy>) => Policy,
): Policy {
  const policy = targetPolicy(settings);
  try {
    return parse(policy);
  } catch (error) {
    const { field = '', message } = error as { field?: string; message: string };
    const name = SETTING_OF[field];
    throw name === undefined ? error : new SettingsError(`${name}: ${message}`);
  }
}
