import type { Settings } from '@svcforms/contracts';
import { publicOrigin } from '@svcforms/http-kit';

export interface FormsApiConfig {
  /** The public origin, which addresses in answers begin with. */
  baseUrl: string;
  /** How long a listener may take for the sample that tests its webhook. */
  deliveryTimeoutMs: number;
  /** Holds openapi.json. */
  docsFolder: string;
}

/** Of the environment, what forms-api reads. `docsFolder`: where the build puts openapi.json, beside the bundle. */
export function formsApiConfig(settings: Settings, { docsFolder }: { docsFolder: string }): FormsApiConfig {
  return {
    baseUrl: publicOrigin(settings),
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    docsFolder,
  };
}
