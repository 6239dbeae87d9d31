import type { Collection, Filter } from '@svcforms/document-store';
import { newTaskLink, roleDecides, type FormAccess, type UserRecord } from '@svcforms/identity';
import { DAY_MS, isoTime, type Clock } from '@svcforms/primitives';
import { isErased, type FormRecord, type TaskNotice, type TaskRecord } from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { mailContents } from './mail-contents.ts';
import type { MailRecord, SubjectOf } from './mail-record.ts';
import { mailText } from './mail-text.ts';
import { taskNoticeContents } from './task-notice-contents.ts';

interface ComposeTaskMailDeps {
  tasks: Pick<Collection<TaskRecord>, 'findOne'>;
  users: Pick<Collection<UserRecord>, 'findOne'>;
  access: Pick<FormAccess, 'among'>;
  secretBox: Pick<SecretBox, 'seal'>;
  /** The origin of links. */
  baseUrl: string;
  now: Clock;
}

/** Why the user gets the email about a new task. */
const whyTask = ({ taskEmails }: UserRecord, { slack }: TaskRecord): string =>
  taskEmails || !slack || slack.ts !== undefined
    ? 'your profile there asks for emails about new tasks'
    : "you may decide this task and it couldn't be posted to Slack";

/** The notices that don't ask for a first vote: to owners, and to those who approved. */
const WITHOUT_VOTE: ReadonlySet<TaskNotice['kind']> = new Set([
  'nobody_to_escalate',
  'blocked',
  'approve_again',
]);

/** How long the link in the email works, unless the task expires earlier. */
const LINK_MS = 7 * DAY_MS;

/** Composes emails about tasks that await a decision, for users who may decide them. */
export function createComposeTaskMail({
  tasks,
  users,
  access,
  secretBox,
  baseUrl,
  now,
}: ComposeTaskMailDeps) {
  const contents = { ...mailContents(baseUrl), ...taskNoticeContents(baseUrl) };

  return async function composeTaskMail(
    form: FormRecord,
    subject: SubjectOf<'task' | 'task_notice'>,
    mail: Pick<MailRecord, 'accountId' | 'to'>,
  ): Promise<ReturnType<typeof mailText> | null> {
    const task = await tasks.findOne({ _id: subject.taskId });
    if (task?.status !== 'awaiting' || isErased(task)) return null;
    const { accountId, to: email } = mail;
    // Emails that older versions queued name no user.
    const named = subject.userId === undefined ? {} : { _id: subject.userId };
    const user = await findReader(form, { accountId, email, ...named });
    if (!user) return null;
    const isForVoters = subject.kind === 'task' || !WITHOUT_VOTE.has(subject.notice);
    if (isForVoters && (await hasNoVote(form, task, user._id))) return null;
    const url = taskUrl(task, subject.userId);
    return mailText(
      subject.kind === 'task'
        ? contents.task(form, task, { url, why: whyTask(user, task) })
        : contents.taskNotice(form, task, {
            kind: subject.notice,
            url,
            ...(subject.notice === 'delegation' && (await delegationTo(user._id, task))),
          }),
    );
  };

  /** Who handed their vote to the user, and what they said. */
  async function delegationTo(userId: string, { history }: TaskRecord) {
    const entry = history.findLast(({ event, to }) => event === 'delegated' && to === userId);
    const from = entry?.by === undefined ? null : await users.findOne({ _id: entry.by });
    return { from: from?.name, comment: entry?.comment };
  }

  /** Finds a user who may see and decide the tasks of the form. */
  async function findReader(
    { settings: { reviewers } }: FormRecord,
    filter: Filter<UserRecord>,
  ): Promise<UserRecord | null> {
    const user = await users.findOne(filter);
    if (!user || !roleDecides(user.role)) return null;
    return (await access.among(reviewers?.groups, [user])).length > 0 ? user : null;
  }

  /**
   * Whether the user has voted already, or handed their vote to somebody else. It comes back if
   * that person may no longer vote.
   */
  async function hasNoVote(
    form: FormRecord,
    { accountId, policy, votes = [], delegations = [] }: TaskRecord,
    userId: string,
  ): Promise<boolean> {
    if (!policy) return false;
    if (votes.some(({ by }) => by === userId)) return true;
    const last = delegations.findLast(({ from, to }) => from === userId || to === userId);
    return last?.from === userId && (await findReader(form, { accountId, _id: last.to })) !== null;
  }

  /**
   * The page of a task, with the link of its reader. It decides nothing by itself: programs also
   * open links.
   */
  function taskUrl({ _id, expiresAt }: TaskRecord, userId: string | undefined): string {
    const url = `${baseUrl}/tasks/${_id}`;
    if (userId === undefined) return url;
    const latest = isoTime(now() + LINK_MS);
    const link = { userId, expiresAt: expiresAt < latest ? expiresAt : latest };
    return `${url}#link=${newTaskLink(secretBox, _id, link)}`;
  }
}

export type ComposeTaskMail = ReturnType<typeof createComposeTaskMail>;
