export { createBatcher } from './batcher.ts';
export type { BatcherOptions } from './batcher.ts';
export { every } from './every.ts';
export type { Job } from './every.ts';
export { keysetPages } from './keyset-pages.ts';
export { pause, TimeoutError, waitAtMost, withTimeout } from './timeout.ts';
export { traceFields } from './tracing.ts';
export type { Span, TraceContext, Tracing } from './tracing.ts';
export type { Clock, Logger } from './types.ts';
