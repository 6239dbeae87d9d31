import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Span as SdkSpan,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent, TraceState } from '@opentelemetry/core';
import { SamplingDecision, type Sampler } from '@opentelemetry/sdk-trace';
import type { Span, TraceContext, Tracing } from '@svcforms/primitives';
import type { TraceIds } from './trace-ids.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const NOT_SAMPLED = '-00';
const NO_ATTRIBUTES = {};

interface TracingOptions {
  tracer: Tracer;
  sampler: Sampler;
  /** Whether the sampler leaves out every span whose parent is left out. */
  followsParents: boolean;
  ids: TraceIds;
  busSystem: string;
  sendsHeaders: boolean;
}

/**
 * The port of tracing on OpenTelemetry. Contexts are passed by hand: the SDK would track them with
 * hooks that slow down every promise of the process. With sampling, most spans aren't recorded, so
 * these don't reach the SDK, whose objects for them cost as much as a small database write.
 */
export function createTracing(options: TracingOptions): Tracing {
  const { tracer, sampler, followsParents, ids, busSystem, sendsHeaders } = options;

  return {
    startSpan(name, { kind, parent }) {
      // Within the product, an unrecorded trace is the same for all that follows.
      if (followsParents && kind !== 'server' && parent?.traceparent.endsWith(NOT_SAMPLED))
        return unrecorded(parent);
      const caller = parent && spanContextOf(parent);
      const context = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
      const traceId = caller?.traceId ?? ids.nextTraceId();
      const { decision } = sampler.shouldSample(context, traceId, name, KINDS[kind], NO_ATTRIBUTES, []);
      if (decision === SamplingDecision.NOT_RECORD) {
        const { traceState } = caller ?? {};
        return unrecorded(
          traceContextOf({ traceId, spanId: ids.generateSpanId(), traceFlags: 0, traceState }),
        );
      }
      const span = tracer.startSpan(name, { kind: KINDS[kind] }, context);
      const isMessaging = kind === 'producer' || kind === 'consumer';
      return recorded(span, isMessaging ? { 'messaging.system': busSystem } : NO_ATTRIBUTES);
    },
    extract({ traceparent, tracestate }) {
      if (!sendsHeaders || typeof traceparent !== 'string') return undefined;
      const given = spanContextOf({
        traceparent,
        ...(tracestate === undefined ? {} : { tracestate: String(tracestate) }),
      });
      return given && traceContextOf(given);
    },
    inject: (context) => (sendsHeaders ? { ...context } : {}),
  };
}

function unrecorded(context: TraceContext): Span {
  return { context, isRecording: false, end() {} };
}

function recorded(span: SdkSpan, common: Readonly<Record<string, string>>): Span {
  return {
    context: traceContextOf(span.spanContext()),
    isRecording: true,
    end({ name, attributes, error } = {}) {
      if (name !== undefined) span.updateName(name);
      for (const [key, value] of Object.entries({ ...common, ...attributes })) {
        if (value !== undefined) span.setAttribute(key, value);
      }
      if (error !== undefined) {
        span.setAttribute('error.type', error);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
}

/** `undefined` for a malformed context. A malformed `tracestate` is dropped alone. */
function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext | undefined {
  const parsed = parseTraceParent(traceparent);
  if (!parsed) return undefined;
  return {
    ...parsed,
    isRemote: true,
    ...(tracestate === undefined ? {} : { traceState: new TraceState(tracestate) }),
  };
}

function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext {
  const state = traceState?.serialize();
  return {
    traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
    ...(state ? { tracestate: state } : {}),
  };
}
