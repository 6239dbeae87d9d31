import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { join, resolve } from 'node:path';
import type { DisablePolicy } from './deliver/failing-webhooks.ts';
import type { MailLimits } from './mail/limit-mails.ts';
import type { MailerOptions } from './mail/mailer.ts';

export interface DispatcherConfig {
  /** Pauses between the attempts of a delivery. */
  retryScheduleSeconds: readonly number[];
  /** How long one attempt may take in all. */
  deliveryTimeoutMs: number;
  /** When a webhook that only fails is disabled. */
  disablePolicy: DisablePolicy;
  /** How many emails about new submissions go out. 0: no limit. */
  mailLimits: MailLimits;
  /** What links in mails begin with. */
  baseUrl: string;
  /** No other process works on this store: leases that are there at the start are a dead process's. */
  soleProcess: boolean;
}

/** Of the environment, what the dispatcher reads. */
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
    soleProcess,
  };
}

/** Of the environment, how mails leave the house. */
export function mailerOptions(settings: Settings): MailerOptions {
  const { SMTP_URL: smtpUrl, SVC_MAIL_FROM, SVC_DATA_DIR } = settings;
  const { hostname } = new URL(publicOrigin(settings));
  // An address of the machine is no domain of a mail address.
  const domain = /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname;
  return {
    smtpUrl,
    folder: join(resolve(SVC_DATA_DIR), 'mail'),
    from: SVC_MAIL_FROM ?? `SvcForms <no-reply@${domain}>`,
  };
}
