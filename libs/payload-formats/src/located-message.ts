import type { PayloadError } from '@svcforms/contracts';

/** The error in one line: `line 3, column 7: …`. It contains no submitted values. */
export function locatedMessage({ message, in: where, line, column }: PayloadError): string {
  if (line === undefined || column === undefined) return message;
  const place = `line ${line}, column ${column}`;
  return where === 'body' ? `${place} of the rendered body: ${message}` : `${place}: ${message}`;
}
