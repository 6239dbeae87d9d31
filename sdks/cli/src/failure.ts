/**
 * 0 success, 1 refused or failed, 2 wrong usage; of shells: 130 ended by SIGINT, 143 by SIGTERM.
 */
export type ExitCode = 0 | 1 | 2 | 130 | 143;

/** Ends the program with one sentence that says what to do. */
export class Failure extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = 1) {
    super(message);
    this.name = 'Failure';
    this.exitCode = exitCode;
  }
}

export const usageFailure = (message: string): Failure => new Failure(message, 2);
