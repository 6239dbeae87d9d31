import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { join } from 'node:path';

export interface FormsApiConfig {
  /** The public origin: the prefix of URLs in responses. */
  baseUrl: string;
  /** The timeout of test events. */
  deliveryTimeoutMs: number;
  /** Holds openapi.json. */
  docsFolder: string;
  /** Holds the built dashboard. */
  dashboardFolder: string;
}

/** The settings of forms-api. `folder` is that of the bundle, which also holds the files that it serves. */
export function formsApiConfig(settings: Settings, { folder }: { folder: string }): FormsApiConfig {
  return {
    baseUrl: publicOrigin(settings),
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    docsFolder: folder,
    dashboardFolder: join(folder, 'dashboard'),
  };
}
