/** The tokens of the links with which tasks were opened from an email, until they are used. */
const links = new Map<string, string>();

/**
 * Keeps the token in the fragment of the URL, such as `link=…`, for the decision on the task. Returns
 * whether there is one: it must then leave the URL, because a reload would bring it back after its use.
 */
export function keepMailLink(taskId: string, hash: string): boolean {
  const token = /^link=(.+)$/.exec(hash)?.[1];
  if (token === undefined) return false;
  links.set(taskId, token);
  return true;
}

/** Returns the token for the decision. It is gone then: if the link was refused, the next attempt does without it. */
export function takeMailLink(taskId: string): { mailLink?: string } {
  const mailLink = links.get(taskId);
  links.delete(taskId);
  return mailLink === undefined ? {} : { mailLink };
}
