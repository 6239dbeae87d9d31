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
 * Sends a decision with the token of the task's link. Failures keep the token for the next attempt,
 * except when the server refused the token itself: the next attempt then does without it.
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
    const isRefused = isApiError(error) && error.issues.some(({ pointer }) => pointer === '/mailLink');
    // A link that was opened meanwhile has a token of its own.
    const isReplaced = sessionStorage.getItem(keyOf(taskId)) !== null;
    if (!isRefused && !isReplaced) sessionStorage.setItem(keyOf(taskId), mailLink);
    throw error;
  }
}
