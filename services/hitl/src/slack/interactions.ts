import { AppError, isAppError, DecisionIn, type FormMember } from '@svcforms/contracts';
import { isDuplicateKey, type DocumentStore } from '@svcforms/document-store';
import { auditUser, type AuditEntry, type Reply, type RouteRequest } from '@svcforms/http';
import { SLACK_CLICKS, type SlackClickRecord, type UserRecord } from '@svcforms/identity';
import type { GuardedClient } from '@svcforms/outbound';
import { isoTime, parseUrl, waitAtMost, type Clock, type Logger } from '@svcforms/primitives';
import { valuesDigest, type TaskRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import {
  createSlackApi,
  createSlackMembers,
  isSignedBySlack,
  newSlackLink,
  readSlackAction,
  type SlackConfig,
} from '@svcforms/slack';
import { createHash } from 'node:crypto';
import type { Actor } from '../tasks/actor.ts';
import type { TaskService } from '../tasks/task-service.ts';
import { problemText, refusalText, type Refusal } from './click-texts.ts';
import { readClick, type Click } from './interaction.ts';
import { createFindSlackUser } from './slack-user.ts';

/** After three seconds without a response, Slack shows an error to the person who clicked. */
const RESPOND_WITHIN_MS = 2_000;
/** Longer than a signature is valid. */
const CLICK_KEPT_MS = 15 * 60_000;
const LINK_MS = 15 * 60_000;

interface InteractionsDeps {
  config: SlackConfig | null;
  store: Pick<DocumentStore, 'collection'>;
  taskService: Pick<TaskService, 'decide'>;
  secretBox: Pick<SecretBox, 'open' | 'seal'>;
  client: Pick<GuardedClient, 'post'>;
  /** The origin of links. */
  baseUrl: string;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  now: Clock;
}

type Request = Pick<RouteRequest, 'rawBody' | 'headers' | 'requestId' | 'trace' | 'recordAudit'>;

/** Stops a decision before it is stored; `reason` is shown to the person who clicked. */
class RefusedClick extends Error {
  constructor(readonly reason: Refusal) {
    super(reason);
  }
}

/**
 * Receives clicks on the buttons of messages in Slack. A click counts as the decision of the user
 * whom the Slack user is connected to, if Slack signed it, nobody sent it before, and the button is
 * ours. Everything else gets a message that only the clicking person sees. ADR 0063
 */
export function createInteractions(deps: InteractionsDeps) {
  const { config, store, taskService, secretBox, client, baseUrl, log, now } = deps;
  const clicks = store.collection<SlackClickRecord>(SLACK_CLICKS);
  const api = config && createSlackApi(config, { client, now });
  const findSlackUser = createFindSlackUser({ store, members: api && createSlackMembers(api), now });

  /** Whether this request arrives for the first time, at any process. */
  async function isFirst({ headers }: Request): Promise<boolean> {
    const signature = String(headers['x-slack-signature']);
    try {
      await clicks.insertOne({
        _id: createHash('sha256').update(signature).digest('hex'),
        expireAt: isoTime(now() + CLICK_KEPT_MS),
      });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** Returns the text for the person who clicked, or `undefined` if the message shows it. */
  async function handle(click: Click & { value: string }, request: Request): Promise<string | undefined> {
    if (!(await isFirst(request))) return refused('replayed', baseUrl);
    const action = readSlackAction(secretBox, click.value);
    if (!action) return refused('not_ours', baseUrl);
    const { taskId, outcome, values } = action;
    const taskUrl = `${baseUrl}/tasks/${taskId}`;
    const found = await findSlackUser(click.slackUser);
    if ('refusal' in found)
      return refused(found.refusal, found.refusal === 'not_connected' ? linkFor(click) : taskUrl);
    const { user } = found;
    const check = (task: TaskRecord) => {
      // In Slack, creators don't decide without a policy either.
      const isCreator = task.createdBy === user._id || task.creators?.includes(user._id);
      if (isCreator) throw new RefusedClick('creator');
      if (valuesDigest(task) !== values) throw new RefusedClick('values_changed');
    };
    try {
      const decision = DecisionIn.parse({ outcome });
      const { task, changed } = await taskService.decide(actorOf(found, request), taskId, decision, check);
      if (changed) await record(task, { user, outcome }, request);
      if (task.status !== 'awaiting') return undefined;
      return `Your vote counts. The task needs more approvals. <${taskUrl}|Open the task>.`;
    } catch (error) {
      if (error instanceof RefusedClick) return refused(error.reason, taskUrl);
      if (!isAppError(error)) throw error;
      log.info(
        { event: 'slack.refused', reason: error.code, taskId, userId: user._id },
        'Slack click rejected',
      );
      return problemText(error, taskUrl);
    }
  }

  function refused(reason: Refusal, url: string): string {
    log.info({ event: 'slack.refused', reason }, 'Slack click rejected');
    return refusalText(reason, url);
  }

  /** The link that connects the Slack user. Only they see it. */
  function linkFor({ slackUser }: Click): string {
    const token = newSlackLink(secretBox, { slackUser, expiresAt: isoTime(now() + LINK_MS) });
    return `${baseUrl}/connect-slack#${token}`;
  }

  async function record(
    task: TaskRecord,
    decided: Decided,
    { recordAudit, requestId }: Request,
  ): Promise<void> {
    const entry = auditEntryOf(task, decided);
    const { _id: taskId } = task;
    log.info({ event: entry.action, taskId, outcome: decided.outcome, channel: 'slack' }, 'decided in Slack');
    try {
      await recordAudit(entry);
    } catch (err) {
      // The decision counts, so the person must not read that it failed. The row is logged.
      log.error(
        { event: 'slack.not_audited', taskId, requestId, err },
        'writing the audit log for a Slack click failed',
      );
    }
  }

  /** Shows a text only to the person who clicked. */
  async function tell({ responseUrl }: Click, text: string): Promise<void> {
    if (!api || responseUrl === undefined || !isOfSlack(responseUrl, config.apiUrl)) return;
    const message = { response_type: 'ephemeral', replace_original: false, text };
    const reply = await api.respond(responseUrl, message);
    if (!reply.ok) log.warn({ event: 'slack.unanswered', reason: reply.error }, 'Slack response not sent');
  }

  async function process(click: Click & { value: string }, request: Request): Promise<void> {
    let text: string | undefined;
    try {
      text = await handle(click, request);
    } catch (error) {
      log.error({ event: 'slack.failed', requestId: request.requestId, err: error }, 'Slack click failed');
      text = refusalText('failed', baseUrl);
    }
    if (text !== undefined) await tell(click, text);
  }

  return async function receive(request: RouteRequest<unknown, unknown, null>): Promise<Reply> {
    if (!config) throw new AppError('NOT_FOUND', 'This installation has no Slack app');
    const { rawBody, headers } = request;
    if (!isSignedBySlack(config.signingSecret, { headers, rawBody, now: now() }))
      throw new AppError('INVALID_SIGNATURE', 'The request is not signed by Slack, or older than 5 minutes');
    const click = readClick(rawBody);
    if (click?.value !== undefined) {
      const processed = process({ ...click, value: click.value }, request).catch((error: unknown) =>
        log.error({ event: 'slack.failed', requestId: request.requestId, err: error }, 'Slack click failed'),
      );
      await waitAtMost(processed, RESPOND_WITHIN_MS);
    }
    return { content: { type: 'text/plain', body: '' } };
  };
}

interface Decided {
  user: UserRecord;
  outcome: string;
}

/** The row of the audit log. */
function auditEntryOf(
  { _id: id, status, accountId }: TaskRecord,
  { user, outcome }: Decided,
): Omit<AuditEntry, 'ip'> {
  const isVote = status === 'awaiting';
  return {
    accountId,
    actor: auditUser(user),
    action: isVote ? 'task.voted' : 'task.decided',
    // Without the title, which can contain submitted values. ADR 0026
    target: { type: 'task', id, name: null },
    changes: isVote ? { vote: { to: outcome } } : { status: { from: 'awaiting', to: status } },
  };
}

const actorOf = (
  { user, memberOf }: { user: UserRecord } & FormMember,
  { requestId, trace }: Request,
): Actor => ({
  accountId: user.accountId,
  by: user._id,
  name: user.name,
  memberOf,
  mayDecide: true,
  mayManage: false,
  hasSession: false,
  isInSlack: true,
  requestId,
  trace,
});

/** Whether the URL belongs to Slack: `hooks.` before the host of the API, or that host itself. */
function isOfSlack(url: string, apiUrl: string): boolean {
  const [given, api] = [parseUrl(url), new URL(apiUrl)];
  if (!given) return false;
  return given.protocol === api.protocol && [api.host, `hooks.${api.host}`].includes(given.host);
}
