/**
 * Returns the messages of an error and its causes in one text, without those that another one
 * contains: many errors repeat the message of their cause. A refused connection to several
 * addresses has no message, but a code.
 */
export function messageWithCauses(error: Error): string {
  let text = '';
  const seen = new Set<unknown>();
  for (let each: unknown = error; each instanceof Error && !seen.has(each); each = each.cause) {
    seen.add(each);
    const message = each.message || ((each as NodeJS.ErrnoException).code ?? '');
    if (!text.includes(message)) text += text === '' ? message : `: ${message}`;
  }
  return text;
}
