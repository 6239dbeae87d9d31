/** Returns the first line of an error's message. */
export function errorLine(error: unknown): string {
  const { message, code } = Object(error) as { message?: string; code?: string };
  const [line = ''] = (message || code || String(error)).split('\n', 1);
  return line;
}
