import { SettingsError, type Settings } from '@svcforms/runtime';
import { readFileSync } from 'node:fs';

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

type Name = 'SVC_SLACK_SIGNING_SECRET' | 'SVC_SLACK_BOT_TOKEN';

/** Returns the configuration; `null` without a Slack app. @throws SettingsError */
export function slackConfig(settings: Settings): SlackConfig | null {
  const signingSecret = secretOf(settings, 'SVC_SLACK_SIGNING_SECRET');
  const botToken = secretOf(settings, 'SVC_SLACK_BOT_TOKEN');
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

/** The secret in the setting, or in the file that its `_FILE` names. */
function secretOf(settings: Settings, name: Name): string | undefined {
  const path = settings[`${name}_FILE`];
  if (settings[name] !== undefined || path === undefined) return settings[name];
  try {
    const secret = readFileSync(path, 'utf8').trim();
    if (secret) return secret;
  } catch (error) {
    throw new SettingsError(`${name}_FILE ${path} can not be read: ${(error as Error).message}`);
  }
  throw new SettingsError(`${name}_FILE ${path} is empty`);
}
