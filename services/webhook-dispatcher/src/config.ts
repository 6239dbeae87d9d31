import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { slackConfig, type SlackConfig } from '@svcforms/slack';
import { join, resolve } from 'node:path';
import type { MailLimits } from './mail/mail-limits.ts';
import type { MailerOptions } from './mail/mailer.ts';
import type { DisablePolicy } from './webhooks/failure-check.ts';

export interface DispatcherConfig {
  /** Pauses between the attempts of a delivery. */
  retryScheduleSeconds: readonly number[];
  /** The time limit of one attempt. */
  deliveryTimeoutMs: number;
  /** When a webhook that keeps failing is disabled. */
  disablePolicy: DisablePolicy;
  /** The limits of emails about new submissions. */
  mailLimits: MailLimits;
  /** The origin of links in emails. */
  baseUrl: string;
  /** The Slack app; `null` without one. */
  slack: SlackConfig | null;
  /**
   * No other process uses this store, so the leases in it at the start belong to a dead process.
   */
  soleProcess: boolean;
}

/** The settings of the dispatcher. */
export function dispatcherConfig(
  settings: Settings,
  { soleProcess }: { soleProcess: boolean },
): DispatcherConfig {
  return {
    retryScheduleSeconds: settings.SVC_RETRY_SCHEDULE,
    deliveryTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    disablePolicy: {
      disableAfterMs: settings.SVC_DISABLE_AFTER * 1000,
      disableMinFailures: settings.SVC_DISABLE_MIN_FAILURES,
    },
    mailLimits: {
      dailyQuota: settings.SVC_MAIL_DAILY_QUOTA,
      digestAfter: settings.SVC_MAIL_DIGEST_AFTER,
    },
    baseUrl: publicOrigin(settings),
    slack: slackConfig(settings),
    soleProcess,
  };
}

/** The settings for sending emails. */
export function mailerOptions(settings: Settings): MailerOptions {
  const { SMTP_URL: smtpUrl, SVC_MAIL_FROM, SVC_DATA_DIR } = settings;
  const { hostname } = new URL(publicOrigin(settings));
  // An IP address can't be the domain of an email address.
  const domain = /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  return {
    smtpUrl,
    folder: join(resolve(SVC_DATA_DIR), 'mail'),
    from: SVC_MAIL_FROM ?? `SvcForms <no-reply@${domain}>`,
  };
}
