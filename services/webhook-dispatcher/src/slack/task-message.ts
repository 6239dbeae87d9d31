import { checkValues, shownJson, shownText, valueFields, withAgreedText } from '@svcforms/contracts';
import { escapeMrkdwn } from '@svcforms/primitives';
import {
  checkableFields,
  pendingValues,
  valuesDigest,
  type FormRecord,
  type TaskRecord,
  type TaskVoteRecord,
} from '@svcforms/records';
import type { SecretBox } from '@svcforms/signing';
import { newSlackAction, type SlackAction } from '@svcforms/slack';
import { EXPIRY_WORDS } from '../mail/expiry-words.ts';
import { valueLabel, valueText } from '../mail/mail-contents.ts';
import { cut, oneLine, timeText } from '../mail/mail-text.ts';

/** The arguments of `chat.postMessage` and `chat.update` besides the channel. */
export interface SlackMessage {
  /** For notifications and screen readers. */
  text: string;
  blocks: object[];
}

interface MessageOptions {
  /** The origin of links. */
  baseUrl: string;
  secretBox: Pick<SecretBox, 'seal'>;
  /** The name of the user who resolved the task, if it is known. */
  decidedBy?: string | undefined;
  /** The votes that count. */
  votes?: readonly TaskVoteRecord[];
}

/** Slack's limits are 150 characters in a header, 3000 in a section and 50 blocks. */
const HEADER_CHARS = 150;
const SECTION_CHARS = 2_900;
const MAX_SECTIONS = 12;

const plain = (text: string) => ({ type: 'plain_text', text, emoji: false });
/** Plain text, in which Slack reads neither formatting nor mentions. */
const section = (text: string) => ({ type: 'section', text: plain(text) });
const context = (text: string) => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text, verbatim: true }],
});

/**
 * The message about a task. It offers a decision only if it shows everything that the decision is
 * about, and if the decision needs no more than a click; otherwise it links to the task.
 * docs/reference/tasks.md#slack
 */
export function taskMessage(form: FormRecord, task: TaskRecord, options: MessageOptions): SlackMessage {
  const { title = form.name } = task;
  const header = { type: 'header', text: plain(cut(title, HEADER_CHARS)) };
  const text = (what: string) => escapeMrkdwn(`${what}: ${cut(title, HEADER_CHARS)}`);
  const taskUrl = urlOf(task, options.baseUrl);
  if (task.status !== 'awaiting') {
    const end = endText(task, options.decidedBy);
    return {
      text: text(end),
      blocks: [header, context(`${escapeMrkdwn(end)} · <${taskUrl}|Open the task>`)],
    };
  }
  const content = contentOf(form, task);
  const isWhole = content.length <= MAX_SECTIONS && title.length <= HEADER_CHARS;
  const outcomes = isWhole ? outcomesFor(form, task) : [];
  const open = { type: 'button', action_id: 'open', text: plain('Open the task'), url: taskUrl };
  return {
    text: text('Decision requested'),
    blocks: [
      header,
      ...content.slice(0, MAX_SECTIONS).map(section),
      context(factsOf(form, task, options).join(' · ')),
      ...(outcomes.length === 0 ? [context('This task needs more than a click. Open it to decide.')] : []),
      {
        type: 'actions',
        elements: [...outcomes.map((outcome) => decisionButton(task, outcome, options)), open],
      },
    ],
  };
}

/** What replaces the message about a task that the readers of its channel may no longer see. */
export function withdrawnMessage(task: TaskRecord, baseUrl: string): SlackMessage {
  const text = 'This task is no longer shown in this channel';
  return { text, blocks: [context(`${text} · <${urlOf(task, baseUrl)}|Open the task>`)] };
}

const urlOf = ({ _id }: TaskRecord, baseUrl: string) => `${baseUrl}/tasks/${_id}`;

function decisionButton(task: TaskRecord, outcome: SlackAction['outcome'], { secretBox }: MessageOptions) {
  const [label, style] = outcome === 'approved' ? ['Approve', 'primary'] : ['Reject', 'danger'];
  return {
    type: 'button',
    action_id: outcome,
    text: plain(label),
    style,
    value: newSlackAction(secretBox, { taskId: task._id, outcome, values: valuesDigest(task) }),
    confirm: {
      title: plain(`${label} the task?`),
      text: plain('This counts as your decision in SvcForms.'),
      confirm: plain(label),
      deny: plain('Cancel'),
    },
  };
}

/** The decisions that need no more than a click. */
function outcomesFor(form: FormRecord, task: TaskRecord): SlackAction['outcome'][] {
  if (task.decisionMode !== 'approval') return [];
  const needsComment = task.requireComment ?? [];
  const values = pendingValues(task);
  const fields = checkableFields(form.fields).map((field) => withAgreedText(field, values));
  const { issues } = checkValues(fields, values, form.settings.jumps);
  return [
    ...(issues.length === 0 && !needsComment.includes('approved') ? (['approved'] as const) : []),
    ...(needsComment.includes('rejected') ? [] : (['rejected'] as const)),
  ];
}

/**
 * The description, the action as it will run, and the values, in pieces that each fit in a section.
 */
function contentOf(form: FormRecord, task: TaskRecord): string[] {
  const fields = new Map(valueFields(form.fields).map((field) => [field.name, field]));
  const values = Object.entries(pendingValues(task)).map(([name, value]) => {
    const field = fields.get(name);
    return `${oneLine(valueLabel(name, field))}: ${oneLineOrJson(valueText(value, field))}`;
  });
  const action = task.action === undefined ? [] : [actionText(task.action)];
  const parts = [...(task.description ? [task.description] : []), ...action, values.join('\n')];
  return parts.filter((part) => part.trim() !== '').flatMap(piecesOf);
}

function actionText(canonical: string): string {
  const { tool, args } = JSON.parse(canonical) as { tool: string; args: unknown };
  return `Action: ${shownText(tool)}\n${shownJson(args)}`;
}

/** A text with line breaks is shown as JSON, so that it can't look like more values. */
const oneLineOrJson = (text: string): string =>
  /[\p{Cc}\u2028\u2029]/u.test(text) ? JSON.stringify(text) : text;

/**
 * Each piece after the first one is marked, so that the rest of a value can't look like another
 * value.
 */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let rest = Array.from(text);
  while (rest.length > 0) {
    pieces.push(`${pieces.length > 0 ? '…' : ''}${rest.slice(0, SECTION_CHARS / 2).join('')}`);
    rest = rest.slice(SECTION_CHARS / 2);
  }
  return pieces;
}

/** What concerns the decision, in Slack's format. */
function factsOf(
  form: FormRecord,
  { createdByName, expiresAt, onExpiry, policy }: TaskRecord,
  { votes = [] }: MessageOptions,
): string[] {
  const approved = votes.filter(({ outcome }) => outcome === 'approved');
  const names = approved.map(({ by, byName = by }) => byName).join(', ');
  const required = policy?.approvals === 'all' ? 'all reviewers' : policy?.approvals;
  const facts = [
    form.name,
    ...(createdByName === undefined ? [] : [`Requested by ${createdByName}`]),
    ...(required === undefined
      ? []
      : [`Approvals: ${approved.length} of ${required}${names && ` (${names})`}`]),
  ];
  return [...facts.map(escapeMrkdwn), `${EXPIRY_WORDS[onExpiry].label} ${timeFor(expiresAt)}`];
}

/** A time that Slack shows in the time zone of the reader. */
const timeFor = (at: string): string =>
  `<!date^${Math.floor(Date.parse(at) / 1000)}^{date_short_pretty} at {time}|${timeText(at)}>`;

function endText({ status, resolvedBy, history }: TaskRecord, decidedBy: string | undefined): string {
  const name = `${status[0]?.toUpperCase() ?? ''}${status.slice(1)}`;
  if (resolvedBy === 'expiry') return `${name} automatically at expiry`;
  const channel = history.findLast(({ event }) => event === 'decided')?.channel;
  const where = channel === 'slack' ? ' in Slack' : '';
  return decidedBy === undefined ? name : `${name} by ${decidedBy}${where}`;
}
