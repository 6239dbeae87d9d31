import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';

export interface HitlConfig {
  /** Timeout of a callback request. */
  callbackTimeoutMs: number;
  /** The public origin that URLs in responses start with. */
  baseUrl: string;
}

export function hitlConfig(settings: Settings): HitlConfig {
  return { callbackTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS, baseUrl: publicOrigin(settings) };
}
