/** Where an adapter reports what it gets over by itself. A pino logger is one. */
export interface BusLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  /** A person must act. */
  error(fields: object, message: string): void;
}

export const SILENT: BusLog = { info() {}, warn() {}, error() {} };
