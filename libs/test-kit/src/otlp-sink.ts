import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import { OTLP_PROTO } from './otlp-proto.ts';
import { poll } from './poll.ts';
import {
  startWebhookEndpoint,
  type ReceivedRequest,
  type WebhookEndpointOptions,
} from './webhook-endpoint.ts';

type Attributes = Record<string, string | number | boolean>;

/** An exported span. */
export interface SinkSpan {
  traceId: string;
  spanId: string;
  /** Empty for a root. */
  parentSpanId: string;
  traceState: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  attributes: Attributes;
  isError: boolean;
  /** The attributes of its process. */
  resource: Attributes;
}

/** An exported metric with its points. */
interface SinkMetric {
  name: string;
  type: 'gauge' | 'sum' | 'histogram';
  points: { attributes: Attributes; value: number; counts?: number[]; bounds?: number[] }[];
  resource: Attributes;
}

export interface OtlpSink {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  url: string;
  /** All requests so far, decoded or not. */
  requests: readonly ReceivedRequest[];
  /** All spans so far. */
  spans(): SinkSpan[];
  /** The named metric, from the newest export that contains it. */
  metric(name: string): SinkMetric | undefined;
  /** Resolves with the first matching span. */
  waitForSpan(matches: (span: SinkSpan) => boolean, what: string): Promise<SinkSpan>;
  /** The span with the ancestors that have arrived, the oldest first. */
  pathTo(span: SinkSpan): SinkSpan[];
  close(): Promise<void>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
const ERROR_STATUS = 2;

/** Starts an OpenTelemetry collector that keeps what it receives, as JSON or as Protobuf. */
export async function startOtlpSink(
  options: Pick<WebhookEndpointOptions, 'respond' | 'tls'> = {},
): Promise<OtlpSink> {
  const endpoint = await startWebhookEndpoint(options);
  const decoded = new Map<ReceivedRequest, Export>();
  const exportOf = (request: ReceivedRequest): Export => {
    const known = decoded.get(request) ?? decode(request);
    decoded.set(request, known);
    return known;
  };
  const spans = () => endpoint.requests.flatMap((request) => spansOf(exportOf(request)));

  return {
    url: endpoint.url,
    requests: endpoint.requests,
    spans,
    metric: (name) =>
      endpoint.requests
        .flatMap((request) => metricsOf(exportOf(request)))
        .findLast((metric) => metric.name === name),
    waitForSpan: (matches, what) => poll(() => spans().find(matches), { what, everyMs: 20 }),
    pathTo(span) {
      const all = spans();
      const path = [span];
      for (let parent: SinkSpan | undefined = span; parent;) {
        const { traceId, parentSpanId }: SinkSpan = parent;
        parent = all.find((each) => each.traceId === traceId && each.spanId === parentSpanId);
        if (parent) path.unshift(parent);
      }
      return path;
    },
    close: () => endpoint.close(),
  };
}

interface Any {
  stringValue?: string;
  boolValue?: boolean;
  intValue?: string | number;
  doubleValue?: number;
  arrayValue?: { values?: Any[] };
}
interface KeyValue {
  key: string;
  value: Any;
}
interface Point {
  attributes?: KeyValue[];
  asDouble?: number;
  asInt?: string | number;
  count?: string | number;
  bucketCounts?: (string | number)[];
  explicitBounds?: number[];
}
interface Resource {
  attributes?: KeyValue[];
}
interface Export {
  resourceSpans?: {
    resource?: Resource;
    scopeSpans?: {
      spans?: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        traceState?: string;
        name: string;
        kind?: number;
        attributes?: KeyValue[];
        status?: { code?: number };
      }[];
    }[];
  }[];
  resourceMetrics?: {
    resource?: Resource;
    scopeMetrics?: {
      metrics?: {
        name: string;
        gauge?: { dataPoints?: Point[] };
        sum?: { dataPoints?: Point[] };
        histogram?: { dataPoints?: Point[] };
      }[];
    }[];
  }[];
}

let messages: protobuf.Root | undefined;

function messageAt(path: string): protobuf.Type {
  messages ??= protobuf.parse(OTLP_PROTO).root;
  return messages.lookupType(
    path.endsWith('traces') ? 'ExportTraceServiceRequest' : 'ExportMetricsServiceRequest',
  );
}

function decode({ path, headers, rawBody }: ReceivedRequest): Export {
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(rawBody) : rawBody;
  if (headers['content-type'] === 'application/json') return JSON.parse(body.toString()) as Export;
  const type = messageAt(path);
  return type.toObject(type.decode(body), { longs: Number }) as Export;
}

function spansOf({ resourceSpans = [] }: Export): SinkSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) =>
    scopeSpans.flatMap(({ spans = [] }) =>
      spans.map((span) => ({
        traceId: hex(span.traceId),
        spanId: hex(span.spanId),
        parentSpanId: hex(span.parentSpanId ?? ''),
        traceState: span.traceState ?? '',
        name: span.name,
        kind: KINDS[span.kind ?? 0] ?? 'internal',
        attributes: attributesOf(span.attributes),
        isError: span.status?.code === ERROR_STATUS,
        resource: attributesOf(resource?.attributes),
      })),
    ),
  );
}

function metricsOf({ resourceMetrics = [] }: Export): SinkMetric[] {
  return resourceMetrics.flatMap(({ resource, scopeMetrics = [] }) =>
    scopeMetrics.flatMap(({ metrics = [] }) =>
      metrics.map(({ name, ...rest }) => {
        const type = (['gauge', 'sum', 'histogram'] as const).find((each) => rest[each]) ?? 'gauge';
        const points = (rest[type]?.dataPoints ?? []).map((point) => ({
          attributes: attributesOf(point.attributes),
          value: Number(point.asDouble ?? point.asInt ?? point.count ?? 0),
          ...(type === 'histogram' && {
            counts: (point.bucketCounts ?? []).map(Number),
            bounds: point.explicitBounds ?? [],
          }),
        }));
        return { name, type, points, resource: attributesOf(resource?.attributes) };
      }),
    ),
  );
}

/** Ids are text in JSON and bytes in Protobuf. */
function hex(id: string | Uint8Array): string {
  return typeof id === 'string' ? id : Buffer.from(id).toString('hex');
}

function attributesOf(pairs: readonly KeyValue[] = []): Attributes {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf({
  stringValue,
  boolValue,
  intValue,
  doubleValue,
  arrayValue,
}: Any): string | number | boolean {
  if (arrayValue) return (arrayValue.values ?? []).map(valueOf).join();
  return stringValue ?? boolValue ?? doubleValue ?? Number(intValue ?? 0);
}
