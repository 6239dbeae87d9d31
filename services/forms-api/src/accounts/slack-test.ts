import { AppError, type SlackTestOut } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Reply, RouteRequest } from '@svcforms/http';
import type { AccountRecord } from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import type { Clock } from '@svcforms/primitives';
import { createSlackApi, type SlackConfig } from '@svcforms/slack';

interface SlackTestDeps {
  /** `null` without a Slack app. */
  slack: SlackConfig | null;
  accounts: Collection<AccountRecord>;
  /** Whether the Slack app belongs to the account. */
  hasSlack: (accountId: string) => Promise<boolean>;
  client: Pick<GuardedClient, 'post'>;
  /** The origin of the link to the inbox. */
  baseUrl: string;
  now: Clock;
}

const TEXT = 'Test message from SvcForms. New tasks are posted to this channel.';

/** What to do about a reason that Slack gives. The others are shown as they are. */
const ADVICE: Readonly<Record<string, string>> = {
  not_in_channel: 'Invite the app to the channel.',
  channel_not_found: 'Check the id of the channel; invite the app if the channel is private.',
  is_archived: 'The channel is archived; choose another one.',
  invalid_auth: 'The operator of this installation must check SVC_SLACK_BOT_TOKEN.',
  missing_scope: 'The operator of this installation must add the scope chat:write to the app.',
};

/** Posts a test message to the channel of the account, and responds when Slack has taken it. */
export function createSlackTest({ slack, accounts, hasSlack, client, baseUrl, now }: SlackTestDeps) {
  const api = slack && createSlackApi(slack, { client, now });

  return async function sendSlackTest({ caller, note, audit }: RouteRequest): Promise<Reply> {
    if (!api || !(await hasSlack(caller.accountId)))
      throw new AppError('CONFLICT', 'Your account has no Slack app');
    const account = await accounts.findOne({ _id: caller.accountId });
    if (!account) throw new AppError('NOT_FOUND', 'The account was deleted');
    const { slackChannel: channel } = account;
    if (channel === undefined)
      throw new AppError('CONFLICT', 'The account has no Slack channel. Set slackChannel first.');
    const text = { type: 'mrkdwn', text: `${TEXT} <${baseUrl}/tasks|Open the inbox>`, verbatim: true };
    const json = { channel, text: TEXT, blocks: [{ type: 'section', text }] };
    const reply = await api.call('chat.postMessage', { json });
    note({ event: 'slack.tested', channel, reason: reply.ok ? undefined : reply.error });
    if (!reply.ok) {
      const { error, isFinal, pauseMs } = reply;
      if (isFinal)
        throw new AppError('CONFLICT', `Slack refused the message: ${error}. ${ADVICE[error] ?? ''}`.trim());
      throw new AppError('UNAVAILABLE', `Slack didn't accept the message (${error}). Try again.`, {
        headers: pauseMs > 0 ? { 'Retry-After': String(Math.ceil(pauseMs / 1000)) } : {},
      });
    }
    audit({ target: { id: account._id, name: account.name } });
    return { data: { channel } satisfies SlackTestOut };
  };
}
