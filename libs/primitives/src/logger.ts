type LogMethod = (fields: object, message: string) => void;

/** The part of a structured logger that libraries and services use; pino's loggers have it. */
export interface Logger {
  debug: LogMethod;
  info: LogMethod;
  warn: LogMethod;
  error: LogMethod;
}
