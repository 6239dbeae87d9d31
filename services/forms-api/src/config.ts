import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { slackConfig, type SlackConfig } from '@svcforms/slack';
import { join } from 'node:path';
import { oidcConfig, type OidcConfig } from './oidc/oidc-config.ts';

export interface FormsApiConfig {
  /** The public origin: the prefix of URLs in responses. */
  baseUrl: string;
  /** Whether emails reach people, instead of becoming files. */
  sendsEmail: boolean;
  /** The identity provider; null without one. */
  oidc: OidcConfig | null;
  /** The Slack app; null without one. */
  slack: SlackConfig | null;
  /** How long entries of the audit log are kept. */
  auditRetentionDays: number;
  /** The timeout of test events. */
  deliveryTimeoutMs: number;
  /** Holds openapi.json. */
  docsFolder: string;
  /** Holds the built dashboard. */
  dashboardFolder: string;
}

/**
 * The settings of forms-api. `folder` is that of the bundle, which also holds the files that it
 * serves.
 */
export function formsApiConfig(settings: Settings, { folder }: { folder: string }): FormsApiConfig {
  return {
    baseUrl: publicOrigin(settings),
    sendsEmail: settings.SVC_SENDS_MAIL ?? settings.SMTP_URL !== undefined,
    oidc: oidcConfig(settings),
    slack: slackConfig(settings),
    auditRetentionDays: settings.SVC_AUDIT_RETENTION_DAYS,
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    docsFolder: folder,
    dashboardFolder: join(folder, 'dashboard'),
  };
}
