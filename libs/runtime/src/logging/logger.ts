import type { Writable } from 'node:stream';
import { pino, type Logger } from 'pino';
import { buildInfo } from '../build/build-info.ts';
import { createLogWriter } from './log-writer.ts';
import { messageWithCauses } from './message-with-causes.ts';

/**
 * Creates a logger that writes one JSON object per line, with the name of the level and the version
 * of the product. `name` is the service; `to` is 1 (standard output), 2 (standard error), or a
 * stream for a process that runs for a moment.
 */
export function createLogger(options: { name: string; level: string; to: 1 | 2 | Writable }): Logger {
  return pino(
    {
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { name: options.name, version: buildInfo.version },
      formatters: { level: (level) => ({ level }) },
      serializers: { err: errorFields },
    },
    typeof options.to === 'number' ? createLogWriter(options.to) : options.to,
  );
}

/** An error as pino logs it, but with each message once. */
function errorFields(error: unknown): unknown {
  const fields: unknown = pino.stdSerializers.err(error as Error);
  if (error instanceof Error) Object.assign(fields as object, { message: messageWithCauses(error) });
  return fields;
}
