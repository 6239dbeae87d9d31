import { pino, type Logger } from 'pino';
import { buildInfo } from '../build/build-info.ts';
import { createLogWriter } from './log-writer.ts';

/**
 * Creates a logger that writes one JSON object per line, with the name of the level and the version of the product. `name` is
 * the service; `to` is 1 (standard output) or 2 (standard error).
 */
export function createLogger(options: { name: string; level: string; to: 1 | 2 }): Logger {
  return pino(
    {
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { name: options.name, version: buildInfo.version },
      formatters: { level: (level) => ({ level }) },
    },
    createLogWriter(options.to),
  );
}
