import { pino, type Logger } from 'pino';
import { createLogWriter } from './log-writer.ts';

/** Creates a logger that writes one JSON object per line. `name` is the service; `to` is 1 (standard output) or 2 (standard error). */
export function createLogger(options: { name: string; level: string; to: 1 | 2 }): Logger {
  return pino(
    {
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { name: options.name },
    },
    createLogWriter(options.to),
  );
}
