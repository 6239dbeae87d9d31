import {
  createClient,
  newApiKey,
  startOtlpSink,
  startProcess,
  testSettings,
  type Client,
  type OtlpSink,
  type ProductProcess,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';

/** Spans and log lines arrive soon, and a failed delivery is retried soon. */
const SETTINGS = {
  LOG_LEVEL: 'info',
  OTEL_BSP_SCHEDULE_DELAY: '50',
  OTEL_METRIC_EXPORT_INTERVAL: '200',
  SVC_RETRY_SCHEDULE: '1,1',
};

export interface TracedProduct {
  sink: OtlpSink;
  apiKey: string;
  formsApi: Client;
  inbound: Client;
  hitl: Client;
  hitlUrl: string;
  processes: readonly ProductProcess[];
  /** The log lines of all processes that have this value. */
  logLines(field: string, value: unknown): Record<string, unknown>[];
}

type Env = Readonly<Record<string, string>>;

/** Starts the standalone, embedded, with a collector. */
export async function startEmbedded(env: Env = {}, sink?: OtlpSink): Promise<TracedProduct> {
  const apiKey = newApiKey();
  const collector = sink ?? (await startOtlpSink());
  const product = await startProcess('standalone', {
    env: { ...testSettings({ apiKey }), ...SETTINGS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env },
  });
  return tracedProduct(collector, apiKey, [product, product, product]);
}

/** Starts the separate services on NATS and MongoDB, with a collector. */
export async function startServices(natsUrl: string): Promise<TracedProduct> {
  const apiKey = newApiKey();
  const sink = await startOtlpSink();
  const env = {
    ...(await serviceSettings(natsUrl, apiKey)),
    ...SETTINGS,
    OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
  };
  const formsApi = await startProcess('forms-api', { env });
  const [gateway, hitl, dispatcher] = await Promise.all([
    startProcess('inbound-gateway', { env }),
    startProcess('hitl', { env }),
    startProcess('webhook-dispatcher', { env }),
  ]);
  return tracedProduct(sink, apiKey, [formsApi, gateway, hitl, dispatcher]);
}

function tracedProduct(
  sink: OtlpSink,
  apiKey: string,
  processes: readonly [ProductProcess, ProductProcess, ProductProcess, ...ProductProcess[]],
): TracedProduct {
  const [formsApi, gateway, hitl] = processes;
  const clientOf = ({ url: baseUrl }: ProductProcess) => createClient({ baseUrl, token: apiKey });
  return {
    sink,
    apiKey,
    formsApi: clientOf(formsApi),
    inbound: clientOf(gateway),
    hitl: clientOf(hitl),
    hitlUrl: hitl.url,
    processes: [...new Set(processes)],
    logLines: (field, value) =>
      [...new Set(processes)]
        .flatMap((process) => process.output().split('\n'))
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line[field] === value),
  };
}
