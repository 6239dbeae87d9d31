import type { AppError, ErrorCode } from '@svcforms/contracts';
import { escapeMrkdwn } from '@svcforms/primitives';

/** Why a click decides nothing. */
export type Refusal =
  | 'replayed'
  | 'not_ours'
  | 'foreign'
  | 'not_connected'
  | 'log_in'
  | 'may_not_decide'
  | 'creator'
  | 'values_changed'
  | 'failed';

/** `url`: the page that helps: of the task, or to connect the Slack user. */
export function refusalText(refusal: Refusal, url: string): string {
  const link = (label: string) => `<${url}|${label}>`;
  const TEXTS: Record<Refusal, string> = {
    replayed: `This click was already received, so it decides nothing. ${link('Open SvcForms')}.`,
    not_ours: `This button can't be used anymore: the encryption key has changed, or it belongs to another installation. ${link('Decide the task in SvcForms')}. Nothing was decided.`,
    foreign:
      "You aren't a member of the workspace of the SvcForms app, so you can't decide tasks here. Nothing was decided.",
    not_connected: `Your Slack user isn't connected to SvcForms. ${link('Connect it')} within 15 minutes, then click again. Nothing was decided.`,
    log_in: `Log in to SvcForms first: you must choose a new password or set up two-factor authentication. ${link('Log in')}. Nothing was decided.`,
    may_not_decide: "Your role in SvcForms doesn't let you decide tasks. Nothing was decided.",
    creator:
      'The creator of a task never decides it, and neither does the user for whom it was created. Nothing was decided.',
    values_changed: `Another reviewer has changed the values since this message was posted. ${link('Open the task')} to see them. Nothing was decided.`,
    failed: `We couldn't process your click. Click again, or ${link('open the task')}.`,
  };
  return TEXTS[refusal];
}

/** The text for a decision that the task refuses. `url`: the page of the task. */
export function problemText({ code, message, details }: AppError, url: string): string {
  const outcome = details.members?.['outcome'];
  // Messages of the API have ids, times in UTC, and pointers to values of the request.
  const known: Partial<Record<ErrorCode, string>> = {
    NOT_FOUND: 'There is no such task in your account, or it was deleted',
    TASK_ALREADY_SETTLED: `The task is already ${String(outcome)}`,
    TASK_EXPIRED: 'The task has expired',
    TASK_CLAIMED: 'Somebody else has claimed the task',
    VALIDATION_FAILED: 'The form has changed, so this decision needs more than a click',
  };
  const link = code === 'NOT_FOUND' ? '' : ` <${url}|Open the task>.`;
  return `${known[code] ?? escapeMrkdwn(message.replace(/\.$/, ''))}.${link} Nothing was decided.`;
}
