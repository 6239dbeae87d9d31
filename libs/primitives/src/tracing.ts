/**
 * The position of a piece of work in a trace, in the format of the W3C headers of the same names.
 * Documents and messages store it.
 */
export type TraceContext = {
  traceparent: string;
  tracestate?: string;
};

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Names of attributes and kinds follow OpenTelemetry's semantic conventions. */
export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** What caused the work. Without it, the span begins a trace. */
  parent?: TraceContext | undefined;
}

export interface SpanEnd {
  /** Replaces the name, for work whose kind is only known at its end. */
  name?: string;
  attributes?: Attributes;
  /** The class of a failure, as a low-cardinality word. */
  error?: string | undefined;
}

/** A piece of work that is part of a trace. */
export interface Span {
  /** For work that this span causes, here or in another process. */
  readonly context: TraceContext;
  /** Whether the span is exported. One that isn't needs no end. */
  readonly isRecording: boolean;
  end(end?: SpanEnd): void;
}

/**
 * Records what a process does as spans of distributed traces. It is absent where tracing is off, so
 * that it costs nothing there.
 */
export interface Tracing {
  startSpan(name: string, start: SpanStart): Span;
  /** The context in the headers of a request; `undefined` if they have none or a malformed one. */
  extract(headers: Readonly<Record<string, string | string[] | undefined>>): TraceContext | undefined;
  /** The headers by which the receiver of a request continues a trace. */
  inject(context: TraceContext): Partial<TraceContext>;
}

/** The field of a log line about traced work, by OpenTelemetry's name. */
export function traceFields(context: TraceContext | undefined): { trace_id?: string } {
  return context ? { trace_id: context.traceparent.slice(3, 35) } : {};
}
