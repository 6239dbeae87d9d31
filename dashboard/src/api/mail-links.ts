import { isApiError } from './api-error.ts';

const keyOf = (taskId: string) => `svcforms.mailLink.${taskId}`;

/**
 * Keeps the token in the fragment of the URL, such as `link=…`, for the decision on the task, even
 * over reloads of this tab. Returns whether there is one: it must then leave the URL, because a
 * reload would bring it back after its use.
 */
export function keepMailLink(taskId: string, hash: string): boolean {
  const token = /^link=(.+)$/.exec(hash)?.[1];
  if (token === undefined) return false;
  sessionStorage.setItem(keyOf(taskId), token);
  return true;
}

/**
 * Sends a decision with the token of the task's link. If the server refuses the token itself, such
 * as a used one, the decision is sent again without it: its user may have left the task and trust
 * that it was sent. Other failures keep the token for the next attempt.
 */
export async function withMailLink<T>(
  taskId: string,
  send: (proof: { mailLink?: string }) => Promise<T>,
): Promise<T> {
  const mailLink = sessionStorage.getItem(keyOf(taskId));
  if (mailLink === null) return send({});
  // Before the response, which a page that is left doesn't get.
  sessionStorage.removeItem(keyOf(taskId));
  try {
    return await send({ mailLink });
  } catch (error) {
    if (isApiError(error) && error.issues.some(({ pointer }) => pointer === '/mailLink')) return send({});
    // A link that was opened meanwhile has a token of its own.
    if (sessionStorage.getItem(keyOf(taskId)) === null) sessionStorage.setItem(keyOf(taskId), mailLink);
    throw error;
  }
}
