import {
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Attributes,
  type HrTime,
  type SpanContext,
} from '@opentelemetry/api';
import { addHrTimes, millisToHrTime, TraceState } from '@opentelemetry/core';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import type { Span, SpanEnd, SpanStart, TraceContext } from '@svcforms/primitives';
import { isUnrecorded, spanIdOf, traceIdOf } from './trace-context.ts';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const NONE: [] = [];

/** What all spans of a process have in common. */
export interface SpanOrigin extends Pick<ReadableSpan, 'resource' | 'instrumentationScope'> {
  busSystem: string;
  /** Gets each span when it has ended. */
  onEnd(span: ReadableSpan): void;
}

/**
 * A span for the exporter. Thousands wait for the next export, and a small object costs the garbage
 * collector less, so everything that the exporter reads is computed when it reads it.
 */
export class RecordedSpan implements Span, ReadableSpan {
  name: string;
  readonly context: TraceContext;
  readonly #kind: SpanStart['kind'];
  readonly #parent: TraceContext | undefined;
  readonly #origin: SpanOrigin;
  readonly #epochMs = Date.now();
  readonly #startedAt = performance.now();
  #durationMs = 0;
  #end: SpanEnd = {};

  constructor(origin: SpanOrigin, name: string, { kind, parent }: SpanStart, context: TraceContext) {
    this.name = name;
    this.context = context;
    this.#origin = origin;
    this.#kind = kind;
    this.#parent = parent;
  }

  end(end: SpanEnd = {}): void {
    this.#durationMs = performance.now() - this.#startedAt;
    this.#end = end;
    this.name = end.name ?? this.name;
    this.#origin.onEnd(this);
  }

  get isRecording(): true {
    return true;
  }

  get kind(): SpanKind {
    return KINDS[this.#kind];
  }

  spanContext(): SpanContext {
    return spanContextOf(this.context, false);
  }

  get parentSpanContext(): SpanContext | undefined {
    return this.#parent && spanContextOf(this.#parent, true);
  }

  get startTime(): HrTime {
    return millisToHrTime(this.#epochMs);
  }

  get duration(): HrTime {
    return millisToHrTime(this.#durationMs);
  }

  get endTime(): HrTime {
    return addHrTimes(this.startTime, this.duration);
  }

  get status() {
    return { code: this.#end.error === undefined ? SpanStatusCode.UNSET : SpanStatusCode.ERROR };
  }

  get attributes(): Attributes {
    const isMessaging = this.#kind === 'producer' || this.#kind === 'consumer';
    const given: Record<string, Attributes[string]> = {
      'messaging.system': isMessaging ? this.#origin.busSystem : undefined,
      ...this.#end.attributes,
      'error.type': this.#end.error,
    };
    const attributes: Attributes = {};
    for (const name in given) if (given[name] !== undefined) attributes[name] = given[name];
    return attributes;
  }

  get resource() {
    return this.#origin.resource;
  }

  get instrumentationScope() {
    return this.#origin.instrumentationScope;
  }

  // The product doesn't use the rest.

  get ended(): true {
    return true;
  }

  get links() {
    return NONE;
  }

  get events() {
    return NONE;
  }

  get droppedAttributesCount() {
    return 0;
  }

  get droppedEventsCount() {
    return 0;
  }

  get droppedLinksCount() {
    return 0;
  }
}

function spanContextOf(context: TraceContext, isRemote: boolean): SpanContext {
  return {
    traceId: traceIdOf(context),
    spanId: spanIdOf(context),
    traceFlags: isUnrecorded(context) ? TraceFlags.NONE : TraceFlags.SAMPLED,
    isRemote,
    ...(context.tracestate !== undefined && { traceState: new TraceState(context.tracestate) }),
  };
}
