import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';

export interface HitlConfig {
  /** How long the POST of a callback may take in all. */
  callbackTimeoutMs: number;
  /** The public origin, which addresses in answers begin with. */
  baseUrl: string;
}

/** Of the environment, what hitl reads. */
export function hitlConfig(settings: Settings): HitlConfig {
  return { callbackTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS, baseUrl: publicOrigin(settings) };
}
