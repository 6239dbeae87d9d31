import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { join } from 'node:path';

export interface FormsApiConfig {
  /** The public origin, which addresses in answers begin with. */
  baseUrl: string;
  /** How long a listener may take for the sample that tests its webhook. */
  deliveryTimeoutMs: number;
  /** Holds openapi.json. */
  docsFolder: string;
  /** Where the build left the dashboard. */
  dashboardFolder: string;
}

/** Of the environment, what forms-api reads. `folder`: that of the bundle, where the build puts what it serves as it is. */
export function formsApiConfig(settings: Settings, { folder }: { folder: string }): FormsApiConfig {
  return {
    baseUrl: publicOrigin(settings),
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    docsFolder: folder,
    dashboardFolder: join(folder, 'dashboard'),
  };
}
