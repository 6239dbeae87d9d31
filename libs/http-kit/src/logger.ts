import { pino, type Logger } from 'pino';

/**
 * One JSON object a line. Lines are gathered for a moment, because a write a line would cost more than the line.
 * `name` is the service; `to` is 1 (standard output) or 2 (standard error).
 */
export function createLogger(options: { name: string; level: string; to: 1 | 2 }): Logger {
  const destination = pino.destination({
    dest: options.to,
    sync: false,
    minLength: 8192,
    periodicFlush: 250,
  });
  process.on('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Nothing can be said any more: the reader of the log has gone.
    }
  });
  return pino(
    {
      name: options.name,
      level: options.level,
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { name: options.name },
    },
    destination,
  );
}
