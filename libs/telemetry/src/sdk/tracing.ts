import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { RandomIdGenerator } from '@opentelemetry/sdk-trace';
import type { Span, TraceContext, Tracing } from '@svcforms/primitives';
import { RecordedSpan, type SpanOrigin } from './recorded-span.ts';
import type { IsSampled } from './sampling.ts';
import { isUnrecorded, isWellFormed, traceContextOf, traceIdOf } from './trace-context.ts';

interface TracingOptions {
  isSampled: IsSampled;
  origin: SpanOrigin;
  sendsHeaders: boolean;
}

/**
 * The port of tracing on OpenTelemetry. A span that isn't recorded is no more than its context, and
 * one that is recorded is a small object until it is exported. The tracer of the SDK would make
 * several objects for either. docs/adr/0054
 */
export function createTracing({ isSampled, origin, sendsHeaders }: TracingOptions): Tracing {
  const ids = new RandomIdGenerator();

  return {
    startSpan(name, { kind, parent: given }) {
      // A trace that isn't recorded keeps the context of its request within the product.
      if (given && kind !== 'server' && isUnrecorded(given)) return new UnrecordedSpan(given);
      const parent = given && isWellFormed(given) ? given : undefined;
      const traceId = parent ? traceIdOf(parent) : ids.generateTraceId();
      const isRecording = isSampled(traceId, parent && !isUnrecorded(parent));
      const spanId = ids.generateSpanId();
      const context = traceContextOf({ traceId, spanId, isRecording, tracestate: parent?.tracestate });
      return isRecording
        ? new RecordedSpan(origin, name, { kind, parent }, context)
        : new UnrecordedSpan(context);
    },
    extract({ traceparent, tracestate }) {
      if (!sendsHeaders || typeof traceparent !== 'string') return undefined;
      const caller = parseTraceParent(traceparent);
      if (!caller) return undefined;
      return traceContextOf({
        ...caller,
        isRecording: (caller.traceFlags & 1) === 1,
        // A malformed one is dropped alone.
        ...(tracestate !== undefined && { tracestate: new TraceState(String(tracestate)).serialize() }),
      });
    },
    inject: (context) => (sendsHeaders ? context : {}),
  };
}

/** Without fields but its context, because most spans are of this kind. */
class UnrecordedSpan implements Span {
  constructor(readonly context: TraceContext) {}

  get isRecording(): false {
    return false;
  }

  end(): void {}
}
