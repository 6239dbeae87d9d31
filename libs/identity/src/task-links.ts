import { newId } from '@svcforms/contracts';
import { openJson, sealJson, type SecretBox } from '@svcforms/signing';

/** What the link in an email about a task says. It is sealed, so nobody can make or change one. */
export interface TaskLink {
  /** Tells links apart, so that each works once. */
  id: string;
  /** The user whom the email was sent to. */
  userId: string;
  /** ISO 8601. */
  expiresAt: string;
}

const contextOf = (taskId: string) => `task_links/${taskId}`;

/**
 * Creates the token of a link. It belongs in the fragment of a URL: browsers send fragments to no
 * server. It proves that the email was opened, and grants nothing without the login of the user.
 * ADR 0089
 */
export function newTaskLink(
  box: Pick<SecretBox, 'seal'>,
  taskId: string,
  { userId, expiresAt }: Omit<TaskLink, 'id'>,
): string {
  const link: TaskLink = { id: newId('evt'), userId, expiresAt };
  return sealJson(box, link, contextOf(taskId));
}

/** Returns what a token says; `null` if it isn't the token of a link to this task. */
export const readTaskLink = (box: Pick<SecretBox, 'open'>, taskId: string, token: string): TaskLink | null =>
  openJson<TaskLink>(box, token, contextOf(taskId));
