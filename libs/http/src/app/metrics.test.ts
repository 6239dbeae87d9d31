import type { Metric } from '@svcforms/runtime';
import { startTestHost } from '../../test/host.ts';
import type { Service } from './host.ts';
import { route } from '../routes/route.ts';

const FORM = 'frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';

const routes = [
  route({
    method: 'GET',
    path: '/api/forms/:formId',
    summary: 'A row',
    access: 'public',
    status: 200,
    handler: async () => ({ data: null }),
  }),
];

const serviceWith = (metrics: readonly Metric[], ownRoutes: Service['routes'] = []): Service => ({
  routes: ownRoutes,
  metrics,
  start: async () => {},
  stop: async () => {},
});

async function read(url: string): Promise<string[]> {
  const response = await fetch(`${url}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return (await response.text()).split('\n');
}

describe('/metrics', () => {
  it('reports request durations by route and status, with one series for unmatched paths', async () => {
    const { url } = await startTestHost({ services: [serviceWith([], routes)] });
    await fetch(`${url}/api/forms/${FORM}`);
    await fetch(`${url}/api/forms/${FORM}`);
    await fetch(`${url}/api/forms/nonsense`);
    await fetch(`${url}/.env`);
    await fetch(`${url}/wp-login.php`, { method: 'PROPFIND' });
    const lines = await read(url);
    const counts = lines.filter((line) => line.startsWith('http_request_duration_seconds_count'));
    expect(counts).toEqual([
      'http_request_duration_seconds_count{method="GET",route="/api/forms/:formId",status="200"} 2',
      'http_request_duration_seconds_count{method="GET",route="/api/forms/:formId",status="404"} 1',
      'http_request_duration_seconds_count{method="other",route="none",status="404"} 2',
    ]);
  });

  it('reports the build', async () => {
    const { url } = await startTestHost({ services: [serviceWith([])] });
    expect(await read(url)).toContain('svc_build_info{version="unknown",commit="unknown"} 1');
  });

  it.each<[string, () => Promise<void>]>([
    ['rejects', async () => Promise.reject(new Error('connect ECONNREFUSED'))],
    ['hangs', () => new Promise<void>(() => {})],
  ])('reports which backends are up, without waiting for one that %s', async (_, ping) => {
    const { url } = await startTestHost({ services: [serviceWith([])], bus: { ping } });
    expect((await read(url)).filter((line) => line.startsWith('svc_backend_up'))).toEqual([
      'svc_backend_up{backend="store"} 1',
      'svc_backend_up{backend="bus"} 0',
    ]);
  });

  it('includes Node.js runtime metrics', async () => {
    const { url } = await startTestHost({ services: [serviceWith([])] });
    expect((await read(url)).join('\n')).toMatch(/^nodejs_heap_size_used_bytes \d+$/m);
  });

  it('has the metrics of services as they are now, those of the same name together', async () => {
    let sent = 0;
    const total = (kind: string): Metric => ({
      name: 'svc_sent_total',
      help: 'Sent.',
      kind: 'counter',
      labels: ['kind'],
      read: () => [{ labels: { kind }, value: sent }],
    });
    const waiting: Metric = {
      name: 'svc_waiting',
      help: 'Waiting.',
      kind: 'gauge',
      read: async () => [{ value: 3 }],
    };
    const { url } = await startTestHost({
      services: [serviceWith([total('a'), waiting]), serviceWith([total('b')])],
    });
    sent = 2;
    await read(url);
    sent = 5;
    expect((await read(url)).filter((line) => /^svc_(sent|waiting)/.test(line))).toEqual([
      'svc_sent_total{kind="a"} 5',
      'svc_sent_total{kind="b"} 5',
      'svc_waiting 3',
    ]);
  });

  it("leaves out what can't be read, and shows the rest", async () => {
    const broken: Metric = {
      name: 'svc_broken',
      help: 'Broken.',
      kind: 'gauge',
      read: async () => Promise.reject(new Error('the store is unavailable')),
    };
    const whole: Metric = { name: 'svc_whole', help: 'Whole.', kind: 'gauge', read: () => [{ value: 1 }] };
    const { url } = await startTestHost({ services: [serviceWith([broken, whole])] });
    expect((await read(url)).filter((line) => /^svc_(broken|whole)/.test(line))).toEqual(['svc_whole 1']);
  });
});
