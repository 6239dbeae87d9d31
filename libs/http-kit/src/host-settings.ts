import type { Settings } from '@svcforms/contracts';
import type { HostOptions } from './host.ts';
import { publicOrigin } from './public-origin.ts';

/** Of the environment, what every host reads. */
export function hostSettings(
  settings: Settings,
): Pick<HostOptions, 'host' | 'port' | 'baseUrl' | 'trustedProxies' | 'rateLimits'> {
  return {
    host: settings.SVC_HOST,
    port: settings.SVC_PORT,
    baseUrl: publicOrigin(settings),
    trustedProxies: settings.SVC_TRUST_PROXY,
    rateLimits: {
      key: settings.SVC_RATE_LIMIT_KEY,
      inbound: settings.SVC_RATE_LIMIT_INBOUND,
      public: settings.SVC_RATE_LIMIT_PUBLIC,
    },
  };
}
