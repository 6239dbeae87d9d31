import { createMetrics } from '@svcforms/runtime';
import { createMetricProducer } from './metric-producer.ts';

const metrics = createMetrics([
  { name: 'svc_things_total', help: 'Things.', kind: 'counter', read: () => [{ value: 7 }] },
  {
    name: 'svc_away',
    help: 'Of a backend that is down.',
    kind: 'gauge',
    read: () => Promise.reject(new Error('away')),
  },
]);
for (const seconds of [0.002, 0.002, 0.3, 99])
  metrics.observeRequest({ method: 'GET', route: '/a', status: 200, seconds });
metrics.observeRequest({ method: 'GET', route: '/b', status: 404, seconds: 0.002 });

async function collected() {
  const { resourceMetrics } = await createMetricProducer(metrics).collect();
  return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
}

describe('the metrics for a collector', () => {
  it("are those of the text format, without those that can't be read", async () => {
    const names = new Set((await collected()).map(({ descriptor }) => descriptor.name));
    const text = await metrics.text();
    const inText = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    const withSamples = inText.filter((name) => new RegExp(`^${name}(_count)?[ {]`, 'm').test(text));
    expect(names).toEqual(new Set(withSamples));
    expect(names).toContain('svc_things_total');
    expect(names).not.toContain('svc_away');
  });

  it('count requests between two boundaries, for each combination of labels', async () => {
    const durations = (await collected()).find(
      ({ descriptor }) => descriptor.name === 'http_request_duration_seconds',
    );
    expect(durations?.dataPoints).toMatchObject([
      {
        attributes: { method: 'GET', route: '/a', status: '200' },
        value: {
          count: 4,
          sum: 99.304,
          buckets: {
            boundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
            counts: [0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1],
          },
        },
      },
      { attributes: { method: 'GET', route: '/b', status: '404' }, value: { count: 1 } },
    ]);
  });
});
