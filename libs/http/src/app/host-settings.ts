import type { Settings } from '@svcforms/runtime';
import type { HostOptions } from './host.ts';
import type { MetricsAccess } from './metrics-access.ts';
import { publicOrigin } from '@svcforms/runtime';

/** The settings of every host. `metricsFrom`: who can read /metrics without a token. */
export function hostSettings(
  settings: Settings,
  { metricsFrom = 'anywhere' }: { metricsFrom?: MetricsAccess['from'] } = {},
): Pick<
  HostOptions,
  | 'host'
  | 'port'
  | 'baseUrl'
  | 'trustedProxies'
  | 'rateLimits'
  | 'auditRetentionDays'
  | 'logClientIp'
  | 'metricsAccess'
> {
  return {
    host: settings.SVC_HOST,
    port: settings.SVC_PORT,
    baseUrl: publicOrigin(settings),
    trustedProxies: settings.SVC_TRUST_PROXY,
    auditRetentionDays: settings.SVC_AUDIT_RETENTION_DAYS,
    logClientIp: settings.SVC_LOG_CLIENT_IP,
    metricsAccess: { from: metricsFrom, token: settings.SVC_METRICS_TOKEN },
    rateLimits: {
      key: settings.SVC_RATE_LIMIT_KEY,
      inbound: settings.SVC_RATE_LIMIT_INBOUND,
      public: settings.SVC_RATE_LIMIT_PUBLIC,
      publicNetwork: settings.SVC_RATE_LIMIT_PUBLIC_IP ?? 5 * settings.SVC_RATE_LIMIT_PUBLIC,
      counters: settings.SVC_RATE_LIMIT_COUNTERS ?? 2 * settings.SVC_RATE_LIMIT_PUBLIC,
      addressesHidden: settings.SVC_CLIENT_ADDRESS_HIDDEN,
    },
  };
}
