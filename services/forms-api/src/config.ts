import type { Settings } from '@svcforms/contracts';
import { publicOrigin } from '@svcforms/http-kit';

export interface FormsApiConfig {
  /** The public origin, which addresses in answers begin with. */
  baseUrl: string;
}

/** Of the environment, what forms-api reads. */
export function formsApiConfig(settings: Settings): FormsApiConfig {
  return { baseUrl: publicOrigin(settings) };
}
