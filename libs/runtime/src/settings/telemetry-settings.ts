import { wholeNumberText } from '@svcforms/contracts';
import { z } from 'zod';
import { url } from './formats.ts';

/**
 * The variables of OpenTelemetry that the product reads, with their standard names and meanings.
 * Others have no effect: an environment that is shared with other programs may have them.
 */

const ratio = z
  .string()
  .regex(/^(0(\.\d+)?|1(\.0+)?|\.\d+)$/, 'must be a number from 0 to 1, such as 0.1')
  .transform(Number);

const anyCase = z.string().transform((text) => text.trim().toLowerCase());

/**
 * `name=value` pairs, separated by commas, with percent-encoded values. The message doesn't repeat
 * them: they may be secret.
 */
const pairs = (isName: RegExp) =>
  z.string().transform((text, context) => {
    const read: Record<string, string> = {};
    for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.length === 0 ? null : decoded(rest.join('=').trim());
      if (!isName.test(name.trim()) || value === null) {
        context.addIssue({
          code: 'custom',
          message: 'must be a comma-separated list of name=value pairs, with percent-encoded values',
        });
        return z.NEVER;
      }
      read[name.trim()] = value;
    }
    return read;
  });

const headers = pairs(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/).refine(
  (read) => Object.values(read).every((value) => /^[\x20-\x7e]*$/.test(value)),
  'must have values of printable ASCII characters, which a header can contain',
);

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const protocol = z.enum(
  ['http/protobuf', 'http/json'],
  'must be http/protobuf or http/json; gRPC is not supported',
);
/** The exporters read it. `startTelemetry` checks that they can. */
const file = (description: string) => z.string().optional().meta({ description });
const exporter = z.enum(['otlp', 'none'], 'must be otlp or none');

export const telemetrySettings = {
  OTEL_SDK_DISABLED: anyCase
    .refine((text) => ['true', 'false'].includes(text), 'must be true or false')
    .transform((text) => text === 'true')
    .default(false)
    .meta({ description: 'Set to true to turn OpenTelemetry off and ignore the other variables' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http', 'https').optional().meta({
    description:
      'OpenTelemetry collector, such as http://collector:4318. Without it and the two below, nothing is recorded or sent, and the other variables are ignored',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url('http', 'https').optional().meta({
    description: 'Full URL for traces. Default: /v1/traces of OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: url('http', 'https').optional().meta({
    description: 'Full URL for metrics. Default: /v1/metrics of OTEL_EXPORTER_OTLP_ENDPOINT',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol
    .default('http/protobuf')
    .meta({ description: 'Format of exports: http/protobuf or http/json' }),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional().meta({ description: 'The same for traces alone' }),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol
    .optional()
    .meta({ description: 'The same for metrics alone' }),
  OTEL_EXPORTER_OTLP_HEADERS: headers.optional().meta({
    description: 'Headers of exports, as name=value, comma-separated, with percent-encoded values',
  }),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers
    .optional()
    .meta({ description: 'More headers for traces; they win over OTEL_EXPORTER_OTLP_HEADERS' }),
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: headers
    .optional()
    .meta({ description: 'More headers for metrics; they win over OTEL_EXPORTER_OTLP_HEADERS' }),
  OTEL_EXPORTER_OTLP_CERTIFICATE: file(
    'PEM file of the certificate authorities of the collector, in place of the default ones',
  ),
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: file('The same for traces alone'),
  OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE: file('The same for metrics alone'),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: file(
    'PEM file of the key of the certificate that processes show to the collector',
  ),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: file('The same for traces alone'),
  OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY: file('The same for metrics alone'),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: file(
    'PEM file of the certificate that processes show to the collector',
  ),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: file('The same for traces alone'),
  OTEL_EXPORTER_OTLP_METRICS_CLIENT_CERTIFICATE: file('The same for metrics alone'),
  OTEL_EXPORTER_OTLP_COMPRESSION: z
    .enum(['gzip', 'none'], 'must be gzip or none')
    .default('none')
    .meta({ description: 'Compression of exports: gzip or none' }),
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumberText(1, 600_000)
    .default(10_000)
    .meta({ description: 'Timeout of one export, in milliseconds' }),
  OTEL_TRACES_EXPORTER: exporter
    .default('otlp')
    .meta({ description: 'Set to none to record no traces: otlp or none' }),
  OTEL_METRICS_EXPORTER: exporter
    .default('otlp')
    .meta({ description: 'Set to none to send no metrics: otlp or none' }),
  OTEL_TRACES_SAMPLER: z
    .enum(
      [
        'always_on',
        'always_off',
        'traceidratio',
        'parentbased_always_on',
        'parentbased_always_off',
        'parentbased_traceidratio',
      ],
      'must be always_on, always_off, traceidratio, or one of these with the prefix parentbased_',
    )
    .default('parentbased_always_on')
    .meta({
      description:
        'Which traces are recorded. parentbased_…: those whose client recorded its part; the rest of the name is for requests without a traceparent header',
    }),
  OTEL_TRACES_SAMPLER_ARG: ratio
    .default(1)
    .meta({ description: 'Share of traces that traceidratio records, from 0 to 1' }),
  OTEL_PROPAGATORS: anyCase
    .transform((text) => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean))
    .refine(
      (names) => names.join() === 'none' || names.every((name) => ['tracecontext', 'baggage'].includes(name)),
      'must be a comma-separated list of tracecontext and baggage, or none',
    )
    .default(['tracecontext', 'baggage'])
    .meta({
      description:
        'tracecontext: read and send the headers traceparent and tracestate. baggage is accepted and has no effect. none: no headers',
    }),
  OTEL_SERVICE_NAME: z.string().optional().meta({
    description: 'service.name of the process. Default: the name of the service; svcforms for the standalone',
  }),
  OTEL_RESOURCE_ATTRIBUTES: pairs(/^[\x21-\x7e]+$/)
    .optional()
    .meta({
      description:
        'More attributes of the process, as name=value, comma-separated, with percent-encoded values',
    }),
  OTEL_BSP_SCHEDULE_DELAY: wholeNumberText(1, 600_000)
    .default(5_000)
    .meta({ description: 'Delay between two exports of spans, in milliseconds' }),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumberText(1, 1_000_000)
    .default(2_048)
    .meta({ description: 'Number of spans that wait for the collector. Further ones are dropped' }),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumberText(100, 86_400_000)
    .default(60_000)
    .meta({ description: 'Interval between two exports of metrics, in milliseconds' }),
};

const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const satisfies (keyof typeof telemetrySettings)[];

/**
 * Drops the variables that have no effect because OpenTelemetry is off. Platforms set them for all
 * programs, even to standard values that the product doesn't support, which must not stop the
 * start.
 */
export function withoutIgnoredTelemetry(given: Readonly<Record<string, string>>): Record<string, string> {
  const isDisabled = given['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true';
  const isOn = !isDisabled && ENDPOINTS.some((name) => given[name] !== undefined);
  const isIgnored = (name: string) => !isOn && name !== 'OTEL_SDK_DISABLED' && name in telemetrySettings;
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isIgnored(name)));
}
