/** The current time in milliseconds since the epoch. Tests pass a clock that they control. */
export type Clock = () => number;

type LogMethod = (fields: object, message: string) => void;

/** The part of a structured logger that libraries and services use; pino's loggers have it. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}
