import type { Settings } from '@svcforms/runtime';
import { publicOrigin } from '@svcforms/runtime';
import { slackConfig, type SlackConfig } from '@svcforms/slack';

export interface HitlConfig {
  /** Timeout of a callback request. */
  callbackTimeoutMs: number;
  /** The pauses between the attempts of a callback with retries. */
  retryScheduleSeconds: readonly number[];
  /** The public origin that URLs in responses start with. */
  baseUrl: string;
  /** The Slack app; `null` without one. */
  slack: SlackConfig | null;
}

export function hitlConfig(settings: Settings): HitlConfig {
  return {
    callbackTimeoutMs: settings.SVC_DELIVERY_TIMEOUT_MS,
    retryScheduleSeconds: settings.SVC_RETRY_SCHEDULE,
    baseUrl: publicOrigin(settings),
    slack: slackConfig(settings),
  };
}
