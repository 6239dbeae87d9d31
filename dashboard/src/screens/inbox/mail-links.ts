/** The tokens of the links with which tasks were opened from an email, until they are used. */
const links = new Map<string, string>();

/** Keeps the token in the fragment of the URL, such as `link=…`, for the decision on the task. */
export function keepMailLink(taskId: string, hash: string): void {
  const token = /^link=(.+)$/.exec(hash)?.[1];
  if (token !== undefined) links.set(taskId, token);
}

/** Returns the token for the decision. It is gone then: if the link was refused, the next attempt does without it. */
export function takeMailLink(taskId: string): { mailLink?: string } {
  const mailLink = links.get(taskId);
  links.delete(taskId);
  return mailLink === undefined ? {} : { mailLink };
}
