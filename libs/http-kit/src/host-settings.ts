import type { Settings } from '@svcforms/contracts';
import type { HostOptions } from './host.ts';
import { publicOrigin } from './public-origin.ts';

/** Of the environment, what every host reads. */
export function hostSettings(
  settings: Settings,
): Pick<HostOptions, 'host' | 'port' | 'baseUrl' | 'trustedProxies'> {
  return {
    host: settings.SVC_HOST,
    port: settings.SVC_PORT,
    baseUrl: publicOrigin(settings),
    trustedProxies: settings.SVC_TRUST_PROXY,
  };
}
