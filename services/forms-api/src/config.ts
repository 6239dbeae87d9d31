import type { Settings } from '@svcforms/contracts';
import { publicOrigin } from '@svcforms/http-kit';

export interface FormsApiConfig {
  /** The public origin, which addresses in answers begin with. */
  baseUrl: string;
  /** How long a listener may take for the sample that tests its webhook. */
  deliveryTimeoutMs: number;
}

/** Of the environment, what forms-api reads. */
export function formsApiConfig(settings: Settings): FormsApiConfig {
  return { baseUrl: publicOrigin(settings), deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS };
}
