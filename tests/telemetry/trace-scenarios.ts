import type { TaskOut } from '@svcforms/contracts';
import {
  createFormWithWebhook,
  poll,
  readEvents,
  sendInbound,
  startWebhookEndpoint,
  type ReceivedRequest,
  type SinkSpan,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import type { TracedProduct } from './product.ts';

const DATA = { email: 'ada@visitor.example', message: 'a very private message' };
const PATH_OF_SECRET = '/hooks/T0KEN-in-the-path';

/** What the trace of one event must be, wherever the product runs. */
export function traceScenarios(product: () => TracedProduct, busSystem: string): void {
  const newTrace = (flags = '01') => {
    const traceId = randomBytes(16).toString('hex');
    const spanId = randomBytes(8).toString('hex');
    return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
  };

  async function startScenario(respond?: Parameters<typeof startWebhookEndpoint>[0]) {
    const endpoint = await startWebhookEndpoint(respond);
    const parts = await createFormWithWebhook(product().formsApi, endpoint.url + PATH_OF_SECRET);
    const submit = (headers: Record<string, string | undefined>) =>
      product().formsApi.post(`/api/forms/${parts.form.id}/submissions`, {
        body: { data: DATA },
        headers: { authorization: undefined, ...headers },
        expect: 201,
      });
    return { endpoint, submit, ...parts };
  }

  /** The spans from the request of a client to the attempt that sent `request`. */
  async function pathTo({ headers }: ReceivedRequest): Promise<SinkSpan[]> {
    const [, traceId, spanId] = String(headers.traceparent).split('-');
    const { sink } = product();
    const last = await sink.waitForSpan(
      (span) => span.traceId === traceId && span.spanId === spanId,
      'the span of the attempt',
    );
    return poll(() => sink.pathTo(last).length >= 4 && sink.pathTo(last), { what: 'the whole path' });
  }

  it('continues the trace of a submission as far as the webhook endpoint', async () => {
    const { endpoint, submit, form, webhook } = await startScenario();
    const { traceId, spanId, traceparent } = newTrace();
    await submit({ traceparent, tracestate: 'vendor=opaque,other=1' });
    const request = await endpoint.waitFor(1).then(([first]) => first as ReceivedRequest);
    expect(request.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(request.headers.tracestate).toBe('vendor=opaque,other=1');

    const path = await pathTo(request);
    expect(path.map(({ name, kind }) => [kind, name])).toEqual([
      ['server', 'POST /api/forms/:formId/submissions'],
      ['producer', 'publish events'],
      ['consumer', 'process events'],
      ['client', 'POST'],
    ]);
    expect(path.map((span) => [span.traceId, span.traceState])).toEqual(
      Array(4).fill([traceId, 'vendor=opaque,other=1']),
    );
    const [server, publish, process, attempt] = path;
    expect(server).toMatchObject({
      parentSpanId: spanId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/forms/:formId/submissions',
        'url.path': `/api/forms/${form.id}/submissions`,
        'url.scheme': 'http',
        'http.response.status_code': 201,
      },
    });
    const event = { 'messaging.message.id': request.headers['webhook-id'], 'messaging.system': busSystem };
    expect(publish?.attributes).toMatchObject({ ...event, 'messaging.operation.type': 'send' });
    expect(process?.attributes).toMatchObject({ ...event, 'messaging.operation.type': 'process' });
    expect(attempt?.attributes).toEqual({
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(endpoint.url).port),
      'svcforms.webhook.id': webhook.id,
      'svcforms.delivery.id': request.headers['svc-delivery-id'],
      'svcforms.event.id': request.headers['webhook-id'],
    });
  });

  it('continues the trace of an inbound submission, and leaves the body as it is', async () => {
    const { endpoint, inbound, form } = await startScenario();
    const { traceId, traceparent } = newTrace();
    const { body } = await sendInbound(product().inbound, inbound, DATA, { headers: { traceparent } });
    const [request] = await endpoint.waitFor(1);
    const path = await pathTo(request as ReceivedRequest);
    expect(path.map(({ name }) => name)).toEqual([
      'POST /api/inbound/:formId',
      'publish events',
      'process events',
      'POST',
    ]);
    expect(path.every((span) => span.traceId === traceId)).toBe(true);
    const sent = JSON.parse(String(request?.rawBody)) as Record<string, unknown>;
    expect(sent).toEqual({
      eventType: 'form.submission.new',
      formId: form.id,
      submissionId: body.data.submissionId,
      timestamp: expect.any(String) as string,
      data: DATA,
      metadata: { submittedVia: 'inbound' },
    });
    expect(request?.headers).not.toHaveProperty('tracestate');
  });

  it.each([
    ['no traceparent', undefined],
    ['a malformed traceparent', '00-zz-1-01'],
    ['a traceparent of zeros', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01`],
    ['a traceparent of version ff', `ff-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
  ])('begins a trace for a request with %s', async (_, traceparent) => {
    const { endpoint, submit } = await startScenario();
    await submit({ traceparent });
    const [request] = await endpoint.waitFor(1);
    const path = await pathTo(request as ReceivedRequest);
    expect(path[0]).toMatchObject({ kind: 'server', parentSpanId: '', traceState: '' });
  });

  it('passes on that the client does not record its trace, and records nothing of it', async () => {
    const { endpoint, submit } = await startScenario();
    const { traceId, traceparent } = newTrace('00');
    await submit({ traceparent });
    const [unsampled] = await endpoint.waitFor(1);
    expect(unsampled?.headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    // Spans are exported in order, so those of a later trace mean that the earlier one has none.
    await submit({});
    const [, sampled] = await endpoint.waitFor(2);
    await pathTo(sampled as ReceivedRequest);
    expect(
      product()
        .sink.spans()
        .filter((span) => span.traceId === traceId),
    ).toEqual([]);
  });

  it('records each attempt of a delivery in the same trace', async () => {
    const { endpoint, submit } = await startScenario({
      respond: (_, nth) => ({ status: nth === 1 ? 503 : 200 }),
    });
    const { traceId, traceparent } = newTrace();
    await submit({ traceparent });
    const requests = await endpoint.waitFor(2);
    const attempts = await Promise.all(requests.map(async (request) => (await pathTo(request)).at(-1)));
    expect(attempts.map((span) => [span?.traceId, span?.isError])).toEqual([
      [traceId, true],
      [traceId, false],
    ]);
    expect(attempts[0]?.attributes).toMatchObject({ 'error.type': '503', 'http.response.status_code': 503 });
    expect(attempts[1]?.attributes).toMatchObject({ 'http.request.resend_count': 1 });
    expect(attempts[0]?.parentSpanId).toBe(attempts[1]?.parentSpanId);
  });

  it('has the trace id in the log lines of the request and of the delivery', async () => {
    const { endpoint, submit } = await startScenario();
    const { traceId, traceparent } = newTrace();
    await submit({ traceparent });
    await endpoint.waitFor(1);
    const events = await poll(
      () => {
        const lines = product().logLines('trace_id', traceId);
        return lines.length >= 2 && lines.map(({ event }) => event);
      },
      { what: 'the log lines of the trace' },
    );
    expect(new Set(events)).toEqual(new Set(['delivery.attempted', 'submission.accepted']));
  });

  it('carries the trace of a decision to the webhook and the callback, and that of the task to its event', async () => {
    const { endpoint, form } = await startScenario();
    const { formsApi, hitl } = product();
    await formsApi.post(`/api/forms/${form.id}/webhooks`, {
      body: { url: endpoint.url, events: ['decision.requested', 'decision.approved'] },
      expect: 201,
    });
    const created = newTrace();
    const decided = newTrace();
    const { body } = await hitl.post<TaskOut>('/api/mcp/tasks', {
      body: { templateId: form.id, prefill: DATA, callbackUrl: `${endpoint.url}/callback` },
      headers: { traceparent: created.traceparent },
      expect: 201,
    });
    await hitl.post(`/api/mcp/tasks/${body.data.id}/decision`, {
      body: { outcome: 'approved' },
      headers: { traceparent: decided.traceparent },
      expect: 200,
    });
    const sent = async (matches: (request: ReceivedRequest) => boolean) => {
      const { headers } = await endpoint.waitFor(matches);
      return String(headers.traceparent).split('-')[1];
    };
    const isEvent = (type: string) => (request: ReceivedRequest) =>
      request.path === '/' && request.rawBody.includes(`"${type}"`);
    expect(await sent(isEvent('decision.requested'))).toBe(created.traceId);
    expect(await sent(isEvent('decision.approved'))).toBe(decided.traceId);
    expect(await sent(({ path }) => path === '/callback')).toBe(decided.traceId);
    await poll(() =>
      product()
        .logLines('trace_id', decided.traceId)
        .find(({ event }) => event === 'callback.sent'),
    );
  });

  it('ends the span of an event stream when the stream opens', async () => {
    const { hitlUrl, apiKey, sink } = product();
    const { traceId, traceparent } = newTrace();
    const reader = await readEvents(`${hitlUrl}/api/mcp/events/*`, {
      token: apiKey,
      headers: { traceparent },
    });
    const span = await sink.waitForSpan((each) => each.traceId === traceId, 'the span of the open stream');
    expect(span.attributes).toMatchObject({ 'http.route': '/api/mcp/events/:eventType' });
    expect(reader.hasEnded()).toBe(false);
    reader.close();
  });

  it('lets pages of other sites send the trace headers', async () => {
    const { form } = await startScenario();
    const { status, headers } = await preflight(form.id);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-headers')).toMatch(/traceparent,tracestate/);
  });

  async function preflight(formId: string): Promise<Response> {
    const [process] = product().processes;
    return fetch(`${process?.url}/api/forms/${formId}/submissions`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://site.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,traceparent',
      },
    });
  }

  it('exports the metrics of /metrics, with the same values', async () => {
    const { sink } = product();
    await product().formsApi.get('/api/forms', { expect: 200 });
    const ofForms = ({ attributes }: { attributes: Record<string, unknown> }) =>
      attributes['route'] === '/api/forms' && attributes['method'] === 'GET';
    const point = await poll(() => sink.metric('http_request_duration_seconds')?.points.find(ofForms), {
      what: 'the histogram of requests',
    });
    expect(point.bounds).toHaveLength(14);
    expect(point.counts).toHaveLength(15);
    expect(point.counts?.reduce((sum, count) => sum + count)).toBe(point.value);
    const delivered = await poll(
      () =>
        sink
          .metric('svc_delivery_outcomes_total')
          ?.points.find(({ attributes, value }) => attributes['outcome'] === 'delivered' && value > 0),
      { what: 'the counter of deliveries' },
    );
    expect(delivered.value).toBeGreaterThan(0);
    expect(sink.metric('svc_delivery_outcomes_total')?.type).toBe('sum');
    expect(sink.metric('svc_backend_up')?.points[0]?.value).toBe(1);
  });

  it('never exports values, headers or addresses of endpoints', async () => {
    const { sink, apiKey } = product();
    const exported = JSON.stringify(sink.spans());
    expect(sink.spans().length).toBeGreaterThan(20);
    for (const secret of [DATA.email, DATA.message, PATH_OF_SECRET, apiKey, 'Bearer', 'svc_inb_'])
      expect(exported).not.toContain(secret);
  });
}
