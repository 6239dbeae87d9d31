import {
  atEnd,
  createFormWithWebhook,
  freePort,
  poll,
  runToEnd,
  sendInbound,
  startOtlpSink,
  startWebhookEndpoint,
  tempFolder,
  testCertificate,
  type OtlpSink,
  type ReceivedRequest,
} from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { startEmbedded, type TracedProduct } from './product.ts';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** Sends an event through the product; returns the request that its webhook endpoint got. */
async function sendEvent({ formsApi, inbound }: TracedProduct): Promise<ReceivedRequest> {
  const endpoint = await startWebhookEndpoint();
  const parts = await createFormWithWebhook(formsApi, endpoint.url);
  await sendInbound(
    inbound,
    parts.inbound,
    { email: 'a@b.example' },
    { headers: { traceparent: TRACEPARENT } },
  );
  const [request] = await endpoint.waitFor(1);
  await endpoint.close();
  return request as ReceivedRequest;
}

const outages = (product: TracedProduct) => product.logLines('event', 'telemetry.unavailable');
const stop = async ({ processes }: TracedProduct) => {
  const startedAt = performance.now();
  const [code] = await Promise.all(processes.map((process) => process.stop()));
  return { code, seconds: (performance.now() - startedAt) / 1000 };
};

describe('telemetry that is off', () => {
  it.each([
    ['no endpoint is set', { OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_EXPORTER: 'otlp' }],
    ['OTEL_SDK_DISABLED is true', { OTEL_SDK_DISABLED: 'True' }],
    ['both exporters are none', { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none' }],
  ])('sends nothing and passes nothing on when %s', async (_, env) => {
    const product = await startEmbedded(env);
    const { headers } = await sendEvent(product);
    expect(headers).not.toHaveProperty('traceparent');
    expect(product.logLines('trace_id', 'a'.repeat(32))).toEqual([]);
    // It sends what is left when it stops.
    await stop(product);
    expect(product.sink.requests).toEqual([]);
  });

  it('sends the other signal when one exporter is none', async () => {
    const [onlyTraces, onlyMetrics] = await Promise.all([
      startEmbedded({ OTEL_METRICS_EXPORTER: 'none' }),
      startEmbedded({ OTEL_TRACES_EXPORTER: 'none' }),
    ]);
    const [traced, untraced] = await Promise.all([sendEvent(onlyTraces), sendEvent(onlyMetrics)]);
    expect(traced.headers.traceparent).toContain('a'.repeat(32));
    expect(untraced.headers).not.toHaveProperty('traceparent');
    await Promise.all([stop(onlyTraces), stop(onlyMetrics)]);
    const paths = ({ sink }: TracedProduct) => [...new Set(sink.requests.map(({ path }) => path))];
    expect(paths(onlyTraces)).toEqual(['/v1/traces']);
    expect(paths(onlyMetrics)).toEqual(['/v1/metrics']);
  });
});

describe('the standard variables', () => {
  it('decide where and how data is sent, and what it says about the process', async () => {
    const [traces, metrics] = [await startOtlpSink(), await startOtlpSink()];
    const product = await startEmbedded(
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${metrics.url}/otlp/`,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${traces.url}/custom`,
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=one%20two,x-key=general',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-key=traces',
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
        OTEL_SERVICE_NAME: 'shop-forms',
        OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=test%2Ced',
      },
      metrics,
    );
    await sendEvent(product);
    await stop(product);
    const [ofTraces] = traces.requests;
    const [ofMetrics] = metrics.requests;
    expect(ofTraces).toMatchObject({
      path: '/custom',
      headers: {
        'content-type': 'application/x-protobuf',
        'content-encoding': 'gzip',
        'x-tenant': 'one two',
        'x-key': 'traces',
      },
    });
    expect(ofMetrics).toMatchObject({
      path: '/otlp/v1/metrics',
      headers: { 'content-type': 'application/json', 'x-tenant': 'one two', 'x-key': 'general' },
    });
    expect(gunzipSync(ofTraces?.rawBody ?? '').includes('shop-forms')).toBe(true);
    expect(metrics.metric('svc_build_info')?.resource).toMatchObject({
      'service.name': 'shop-forms',
      'service.version': expect.any(String) as string,
      'service.instance.id': expect.any(String) as string,
      'deployment.environment.name': 'test,ed',
    });
  });

  it('name the certificates for a collector with a private authority that requires one of its clients', async () => {
    const { key, cert, ca, caFile } = await testCertificate(['127.0.0.1']);
    const files = { key: join(tempFolder(), 'client.key'), cert: join(tempFolder(), 'client.pem') };
    writeFileSync(files.key, key);
    writeFileSync(files.cert, cert);
    const collector = await startOtlpSink({ tls: { key, cert, clientCa: ca } });
    const product = await startEmbedded(
      {
        OTEL_EXPORTER_OTLP_CERTIFICATE: caFile,
        OTEL_EXPORTER_OTLP_CLIENT_KEY: files.key,
        OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: files.cert,
      },
      collector,
    );
    await sendEvent(product);
    await stop(product);
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(
      new Set(['/v1/traces', '/v1/metrics']),
    );

    const without = await startEmbedded({ OTEL_EXPORTER_OTLP_CERTIFICATE: caFile }, collector);
    await poll(() => outages(without).length > 0, { what: 'telemetry.unavailable' });
    await stop(without);
  });

  it("stop the start if they name a file that can't be read", async () => {
    const missing = join(tempFolder(), 'client.key');
    const name = 'OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY';
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://127.0.0.1:4318', [name]: missing };
    const { code, stderr } = await runToEnd('standalone', { env });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining(`${name} ${missing} can't be read: ENOENT`) as string,
    });
  });

  it('neither read nor send trace headers with OTEL_PROPAGATORS=none', async () => {
    const product = await startEmbedded({ OTEL_PROPAGATORS: 'none' });
    const { headers } = await sendEvent(product);
    expect(headers).not.toHaveProperty('traceparent');
    const attempt = await product.sink.waitForSpan(
      ({ kind }) => kind === 'client',
      'the span of the attempt',
    );
    // Inside of the product it is one trace nevertheless.
    const path = await poll(() => {
      const found = product.sink.pathTo(attempt);
      return found.length === 4 && found;
    });
    expect(path[0]).toMatchObject({ kind: 'server', parentSpanId: '' });
    expect(path[0]?.traceId).not.toBe('a'.repeat(32));
  });

  it('let OTEL_TRACES_SAMPLER ignore or follow what the client records', async () => {
    const [ignoring, following] = await Promise.all([
      startEmbedded({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }),
      startEmbedded({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }),
    ]);
    const [ignored, followed] = await Promise.all([sendEvent(ignoring), sendEvent(following)]);
    expect(ignored.headers.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-00$/);
    expect(followed.headers.traceparent).toMatch(/^00-a{32}-[0-9a-f]{16}-01$/);
    await Promise.all([stop(ignoring), stop(following)]);
    expect(ignoring.sink.spans()).toEqual([]);
    // Requests without a traceparent, such as those that created the form, are left to the ratio.
    expect(new Set(following.sink.spans().map(({ traceId }) => traceId))).toEqual(new Set(['a'.repeat(32)]));
  });
});

describe('a collector', () => {
  it('gets what is left when the process stops', async () => {
    const product = await startEmbedded({
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_METRIC_EXPORT_INTERVAL: '600000',
    });
    await sendEvent(product);
    expect(product.sink.requests).toEqual([]);
    expect(await stop(product)).toMatchObject({ code: 0 });
    expect(product.sink.spans().map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['server', 'producer', 'consumer', 'client']),
    );
    expect(product.sink.metric('http_request_duration_seconds')?.points.length).toBeGreaterThan(0);
  });

  it('that is down delays nothing, and is reported once, as is its return', async () => {
    const port = await freePort();
    const product = await startEmbedded({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hunter2',
    });
    await sendEvent(product);
    await poll(() => outages(product).length > 0, { what: 'the log line about the collector' });
    for (let i = 0; i < 5; i++) await sendEvent(product);
    const server = createServer((message, response) => void message.resume().on('end', () => response.end()));
    server.listen(port, '127.0.0.1');
    atEnd(() => {
      server.close().closeAllConnections();
    });
    await poll(
      () => product.logLines('event', 'telemetry.resumed').length > 0 || sendEvent(product).then(() => false),
      {
        what: 'the log line about its return',
      },
    );
    expect(outages(product)).toEqual([
      expect.objectContaining({ level: 'warn', collector: `http://127.0.0.1:${port}` }),
    ]);
    expect(product.processes[0]?.output()).not.toContain('hunter2');
  });

  it('that hangs does not keep the process from stopping in time', async () => {
    const product = await startEmbedded({}, await startHangingSink());
    await sendEvent(product);
    const { code, seconds } = await stop(product);
    expect(code).toBe(0);
    expect(seconds).toBeLessThan(10);
  });

  const startHangingSink = (): Promise<OtlpSink> => startOtlpSink({ respond: () => 'hang' });
});

describe('data of a version without traces', () => {
  it('is delivered, in a new trace', async () => {
    const endpoint = await startWebhookEndpoint({ respond: (_, nth) => ({ status: nth === 1 ? 500 : 200 }) });
    const product = await startEmbedded({ OTEL_SDK_DISABLED: 'true', SVC_RETRY_SCHEDULE: '4' });
    const parts = await createFormWithWebhook(product.formsApi, endpoint.url);
    await sendInbound(product.inbound, parts.inbound, { email: 'a@b.example' });
    const [first] = await endpoint.waitFor(1);
    expect(first?.headers).not.toHaveProperty('traceparent');
    const [process] = product.processes;
    await process?.restart({ OTEL_SDK_DISABLED: 'false' });
    const [, second] = await endpoint.waitFor(2);
    const [, traceId] = String(second?.headers.traceparent).split('-');
    const attempt = await product.sink.waitForSpan(
      (span) => span.traceId === traceId,
      'the span of the attempt',
    );
    expect(attempt).toMatchObject({ kind: 'client', parentSpanId: '' });
    expect(second?.rawBody).toEqual(first?.rawBody);
  });
});
