import { openJson, sealJson, type SecretBox } from '@svcforms/signing';

const CONTEXT = 'slack_actions';

/** What a button in a message decides. It is sealed, so nobody can make or change one. */
export interface SlackAction {
  taskId: string;
  outcome: 'approved' | 'rejected';
  /** The digest of the values that the message showed. */
  values: string;
}

/** Returns the value of a button. */
export const newSlackAction = (box: Pick<SecretBox, 'seal'>, action: SlackAction): string =>
  sealJson(box, action, CONTEXT);

/** Returns what the value of a button says; `null` if it isn't ours. */
export const readSlackAction = (box: Pick<SecretBox, 'open'>, value: string): SlackAction | null =>
  openJson<SlackAction>(box, value, CONTEXT);
