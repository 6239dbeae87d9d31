import { createCachedFinder, type DocumentStore } from '@svcforms/document-store';
import { ACCOUNTS, accountOfInstallation, type AccountRecord, type Reviewers } from '@svcforms/identity';
import { isoTime } from '@svcforms/primitives';
import type { FormRecord, TaskRecord } from '@svcforms/records';
import type { SlackConfig } from '@svcforms/slack';
import { originOf, type Actor } from './actor.ts';

/** By then, the message is posted or the reviewers get an email, which arrives within a minute. */
const MAIL_AFTER_MS = 30_000;

type SlackFields = Pick<TaskRecord, 'slack' | 'slackDue' | 'slackMailAt' | 'creators'>;

/**
 * Returns the fields of a new task for Slack; none if no channel gets it. `at`: milliseconds since
 * the epoch.
 */
export type SlackOf = (
  actor: Pick<Actor, 'accountId' | 'by' | 'createdBy'>,
  form: Pick<FormRecord, 'settings'>,
  times: { at: number },
) => Promise<SlackFields>;

/**
 * Finds the Slack channel of new tasks: that of their form, else that of the account. If only some
 * reviewers see the form, the form must name the channel: that of the account has other readers
 * too. docs/reference/tasks.md#slack
 */
export function createSlackChannels(deps: {
  config: Pick<SlackConfig, 'accountId'> | null;
  store: Pick<DocumentStore, 'collection'>;
  reviewers: Pick<Reviewers, 'creatorsOf'>;
}): SlackOf {
  const { config, store, reviewers } = deps;
  const accounts = store.collection<AccountRecord>(ACCOUNTS);
  const findAccount = createCachedFinder(accounts, '_id');

  return async function slackOf(actor, { settings }, { at }) {
    const { accountId } = actor;
    if (!config) return {};
    const ofAccount = settings.reviewers ? undefined : (await findAccount(accountId))?.slackChannel;
    const channel = settings.tasks?.slackChannel ?? ofAccount ?? 'none';
    if (channel === 'none') return {};
    if ((await accountOfInstallation(config.accountId, accounts)) !== accountId) return {};
    return {
      slack: { channel },
      slackDue: isoTime(at),
      slackMailAt: isoTime(at + MAIL_AFTER_MS),
      creators: await reviewers.creatorsOf(originOf(actor)),
    };
  };
}
