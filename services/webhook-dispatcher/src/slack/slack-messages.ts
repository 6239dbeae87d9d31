import { countingVotes } from '@svcforms/contracts';
import { createCachedFinder, type Collection, type DocumentStore } from '@svcforms/document-store';
import { createReviewers, reviewRuleOf, USERS, type UserRecord } from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import { isoTime, waitAtMost, type Clock, type CreateJob, type Logger } from '@svcforms/primitives';
import { FORMS, isErased, TASKS, type FormRecord, type TaskRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { createSlackApi, type SlackApi, type SlackConfig, type SlackReply } from '@svcforms/slack';
import { randomUUID } from 'node:crypto';
import { runWorkers } from '../jobs/run-workers.ts';
import type { StoreRetries } from '../store/store-retry.ts';
import { createSlackResults } from './slack-results.ts';
import { taskMessage, withdrawnMessage, type SlackMessage } from './task-message.ts';

const EVERY_MS = 500;
const CONCURRENCY = 8;
/**
 * Longer than a call and the failover of a store may take, and shorter than the time after which
 * the reviewers get an email. Afterwards another process continues.
 */
const LEASE_MS = 20_000;
/** However long a reply asks to wait: a proxy may name hours with a 503. */
const MAX_SHARED_PAUSE_MS = 5 * 60_000;
/** How long the service waits at its end for a call and its result. */
const CALLS_MAY_TAKE_MS = 14_000;

interface SlackMessagesDeps {
  config: SlackConfig;
  /** The origin of links. */
  baseUrl: string;
  store: Pick<DocumentStore, 'collection'>;
  client: Pick<GuardedClient, 'post'>;
  secretBox: Pick<SecretBox, 'seal'>;
  retry: Pick<StoreRetries, 'results'>;
  createJob: CreateJob;
  log: Pick<Logger, 'info' | 'warn'>;
  /** No more calls start when it aborts. */
  signal: AbortSignal;
  now: Clock;
}

/** What a call changes in its task. `null`: there is nothing to show, or nothing to take back. */
type Result = SlackReply | null;

/**
 * Posts a message about each task that has a Slack channel, and updates it after votes and at its
 * end. A process works only on tasks that it has leased, so replicas post one message; a second one
 * stays only if a process dies between the response of Slack and the update, or if Slack posts the
 * message and its response is lost or late. ADR 0063
 */
export function createSlackMessages(deps: SlackMessagesDeps): { start(): void; stop(): Promise<void> } {
  const { config, baseUrl, store, client, secretBox, createJob, log, signal, now } = deps;
  const tasks: Collection<TaskRecord> = store.collection<TaskRecord>(TASKS);
  const forms = store.collection<FormRecord>(FORMS);
  const users = store.collection<UserRecord>(USERS);
  const findForm = createCachedFinder(forms, '_id');
  const groupsOfForm = async (formId: string) => (await findForm(formId))?.settings.reviewers?.groups;
  const reviewers = createReviewers({ store, groupsOfForm });
  const api = createSlackApi(config, { client, now });
  const slack: Pick<SlackApi, 'call'> = { call };
  const owner = randomUUID();
  let pausedUntil = 0;
  const retryResult = deps.retry.results;
  const results = createSlackResults({ tasks, slack, owner, retryResult, log, signal, now });
  const { finish, retry } = results;

  /**
   * A pause that Slack asks for holds for all tasks for some minutes: Slack limits each method per
   * workspace, and new messages also per channel, so other calls would probably be refused too.
   */
  async function call(...args: Parameters<SlackApi['call']>): Promise<SlackReply> {
    const reply = await api.call(...args);
    if (!reply.ok && reply.pauseMs > 0) {
      const pauseMs = Math.min(reply.pauseMs, MAX_SHARED_PAUSE_MS);
      pausedUntil = Math.max(pausedUntil, now() + pauseMs);
    }
    return reply;
  }

  async function sendDue(): Promise<void> {
    if (now() < pausedUntil) return;
    // Usually nothing is due, and a query costs less than an update.
    if (!(await tasks.findOne(due()))) return;
    await runWorkers(CONCURRENCY, sendOneByOne);
  }

  const due = () => {
    const at = isoTime(now());
    return {
      slackDue: { $exists: true, $lte: at },
      $or: [{ 'slack.leaseUntil': { $exists: false } }, { 'slack.leaseUntil': { $lte: at } }],
    };
  };

  async function sendOneByOne(): Promise<void> {
    while (!signal.aborted && now() >= pausedUntil) {
      const task = await tasks.findOneAndUpdate(
        due(),
        { $set: { 'slack.owner': owner, 'slack.leaseUntil': isoTime(now() + LEASE_MS) } },
        { sort: ['slackDue'], returning: 'after' },
      );
      if (!task) return;
      await send(task);
    }
  }

  async function send(task: TaskRecord): Promise<void> {
    const { channel, ts } = task.slack ?? {};
    const isGone = isErased(task);
    if (channel === undefined || (ts === undefined && (isGone || task.status !== 'awaiting')))
      return finish(task, {});
    const reply =
      isGone && ts !== undefined
        ? await slack.call('chat.delete', { json: { channel, ts } })
        : await show(task, { channel, ts });
    if (reply === null) return finish(task, {});
    if (!reply.ok) return retry(task, reply);
    const posted = typeof reply.body['ts'] === 'string' ? reply.body['ts'] : ts;
    if (ts === undefined)
      log.info({ event: 'slack.posted', taskId: task._id, channel }, 'a task was posted to Slack');
    await finish(task, isGone ? { isDeleted: true } : { ts: posted });
  }

  async function show(
    task: TaskRecord,
    { channel, ts }: { channel: string; ts: string | undefined },
  ): Promise<Result> {
    const form = await forms.findOne({ _id: task.formId, deletedAt: null });
    if (!form) return null;
    const isWithdrawn = !mayShow(form, channel);
    if (isWithdrawn && ts === undefined) return null;
    const message = isWithdrawn ? withdrawnMessage(task, baseUrl) : await messageAbout(form, task);
    const json = { channel, ...message, unfurl_links: false, unfurl_media: false };
    return ts === undefined
      ? slack.call('chat.postMessage', { json })
      : slack.call('chat.update', { json: { channel, ts, ...message } });
  }

  async function messageAbout(form: FormRecord, task: TaskRecord): Promise<SlackMessage> {
    const { decidedBy: by, policy, votes = [] } = task;
    const decidedBy = by === undefined ? undefined : (await users.findOne({ _id: by }))?.name;
    const counting = policy ? countingVotes(votes, await reviewers.of(reviewRuleOf(task))) : [];
    return taskMessage(form, task, { baseUrl, secretBox, decidedBy, votes: counting });
  }

  const job = createJob('sending Slack messages', EVERY_MS, sendDue);
  return {
    start: () => job.start(),
    stop: async () => void (await waitAtMost(job.stop().then(results.stop), CALLS_MAY_TAKE_MS)),
  };
}

/**
 * Whether the channel may show tasks of the form. It was chosen when the task was created; since
 * then, the form may have been restricted to some reviewers, and then only the channel that it
 * names may.
 */
const mayShow = ({ settings: { reviewers, tasks } }: FormRecord, channel: string): boolean =>
  !reviewers || tasks?.slackChannel === channel;
