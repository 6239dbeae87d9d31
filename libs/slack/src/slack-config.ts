import { readSecret, SettingsError, type Settings } from '@svcforms/runtime';

/** The Slack app of this installation. */
export interface SlackConfig {
  /** Verifies that requests come from Slack. */
  signingSecret: string;
  /** Authorizes calls of the Web API: `xoxb-…`. */
  botToken: string;
  /** The prefix of API methods, without a slash at the end. */
  apiUrl: string;
  /** The account that the app belongs to. Absent: the only one. */
  accountId?: string | undefined;
}

/** Returns the configuration; `null` without a Slack app. @throws SettingsError */
export function slackConfig(settings: Settings): SlackConfig | null {
  const signingSecret = readSecret(settings, 'SVC_SLACK_SIGNING_SECRET');
  const botToken = readSecret(settings, 'SVC_SLACK_BOT_TOKEN');
  if (signingSecret === undefined && botToken === undefined) return null;
  if (signingSecret === undefined || botToken === undefined) {
    const [missing, given] =
      signingSecret === undefined
        ? ['SVC_SLACK_SIGNING_SECRET', 'SVC_SLACK_BOT_TOKEN']
        : ['SVC_SLACK_BOT_TOKEN', 'SVC_SLACK_SIGNING_SECRET'];
    throw new SettingsError(`${missing} must be set too: the Slack app is half configured (${given})`);
  }
  return {
    signingSecret,
    botToken,
    apiUrl: settings.SVC_SLACK_API_URL.replace(/\/$/, ''),
    accountId: settings.SVC_SLACK_ACCOUNT,
  };
}
