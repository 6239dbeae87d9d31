import type { TraceContext } from '@svcforms/primitives';

/** What a request carries from middleware to middleware. */
export interface RequestState {
  requestId: string;
  /** Its span; absent where tracing is off. */
  trace?: TraceContext;
  /** Fields of its log line. */
  logFields: Record<string, unknown>;
  /** The path of the route that handles it, as the route table has it. */
  route?: string;
  /** True for the paths that probes and monitors request all the time. */
  isProbe?: boolean;
  /** The size of the body in bytes, once it has been read. */
  bodySize?: number;
  /** Aborts when the connection closes. Created when a handler first reads it. */
  signal?: AbortSignal;
  /** The inbound endpoint whose rate limit it counts against. */
  countedFor?: string;
}
