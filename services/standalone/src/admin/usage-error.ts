/** The command line is invalid. The message says what is missing or wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
