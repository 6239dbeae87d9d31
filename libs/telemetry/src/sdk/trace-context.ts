import type { TraceContext } from '@svcforms/primitives';

/** The form in which the product writes contexts: the first version, and no flag but the first. */
const WRITTEN = /^00-[\da-f]{32}-[\da-f]{16}-0[01]$/;

interface ContextParts {
  traceId: string;
  spanId: string;
  isRecording: boolean;
  tracestate?: string | undefined;
}

export function traceContextOf({ traceId, spanId, isRecording, tracestate }: ContextParts): TraceContext {
  const traceparent = `00-${traceId}-${spanId}-${isRecording ? '01' : '00'}`;
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

/** Whether the context is one of `traceContextOf`. `traceIdOf` and `spanIdOf` expect no other. */
export function isWellFormed({ traceparent }: TraceContext): boolean {
  return WRITTEN.test(traceparent);
}

export function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(3, 35);
}

export function spanIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(36, 52);
}

export function isUnrecorded({ traceparent }: TraceContext): boolean {
  return traceparent.endsWith('-00');
}
