import {
  createClient,
  createFormWithWebhook,
  describeWith,
  poll,
  root,
  startWebhookEndpoint,
} from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeMainJob } from '../e2e/main-job.ts';
import type { Stack } from '../e2e/stack.ts';
import { objectionsTo } from './check-policy.ts';
import { startSender, type Sent } from './disruption.ts';
import { getJson, kubectl, type Listed } from './kubectl.ts';
import {
  BACKENDS_NAMESPACE,
  everyComponent,
  NAMESPACE,
  run,
  SERVICES,
  startCluster,
} from './start-cluster.ts';
import { watchStream, type StreamWatch } from './watch-stream.ts';

const MINUTES = 60_000;
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const WATCHERS = ['k8s/monitoring/grafana-dashboard.json', 'k8s/components/alerts/alerts.yaml'];

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  status: { conditions?: { type: string; status: string }[] };
}

describeWith(['kubernetes', 'compose'], 'the local overlay in a cluster', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await startCluster();
  }, 8 * MINUTES);

  afterAll(() => stack?.stop(), 2 * MINUTES);

  describeMainJob('through its Ingress objects', async () => ({ ...stack, stop: async () => {} }));

  it.each(['/livez', '/readyz', '/metrics'])('does not expose %s', async (path) => {
    expect((await fetch(stack.baseUrl + path)).status).toBe(404);
  });

  it.each(['local', 'production'])(
    'passes the validation of the API server as overlays/%s',
    async (overlay) => {
      await kubectl(['apply', '--dry-run=server', '-k', `k8s/overlays/${overlay}`]);
    },
  );

  it.each(['local', 'production'])('has no policy violations in overlays/%s', async (overlay) => {
    expect(await objectionsTo(`k8s/overlays/${overlay}`)).toEqual([]);
  });

  it('exports every metric that the dashboard and the alerts name', async () => {
    const metrics = (await Promise.all(SERVICES.map(metricsOf))).join('\n');
    const named = metricNamesIn(WATCHERS);
    expect(named).toContain('svc_streams_open');
    const isExported = (name: string) =>
      metrics.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `);
    expect(named.filter((name) => !isExported(name))).toEqual([]);
  });

  it('puts components into its namespace and has one scaler for the dispatcher', async () => {
    const objects = (await kubectl(['kustomize', everyComponent()])).split('\n---\n');
    const of = (kind: string) => objects.filter((text) => text.includes(`\nkind: ${kind}\n`));
    for (const kind of ['ScaledObject', 'ServiceMonitor', 'PrometheusRule']) {
      expect(of(kind)).toEqual([expect.stringContaining(`\n  namespace: ${NAMESPACE}\n`)]);
    }
    expect(of('ScaledObject')[0]).toContain('minReplicaCount: 3');
    expect(of('HorizontalPodAutoscaler')).toHaveLength(SERVICES.length - 1);
  });

  it('runs the admin command in its own pod', async () => {
    const command = 'k8s/admin.sh svcforms/forms-api:local indexes ensure </dev/null';
    expect(await run('bash', ['-c', command])).toMatch(/^the indexes of \d+ collections exist\n$/);
  });

  describe('under load, while every pod is replaced once', () => {
    let sent: Sent;
    let received: readonly { headers: Record<string, unknown>; rawBody: Buffer }[];
    let stream: StreamWatch;

    beforeAll(async () => {
      const webhookEndpoint = await startWebhookEndpoint(stack.webhookEndpointOptions);
      received = webhookEndpoint.requests as typeof received;
      const client = createClient({ baseUrl: stack.baseUrl, token: stack.apiKey });
      const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
      stream = watchStream(stack.baseUrl, stack.apiKey);
      const sender = startSender(stack.baseUrl, inbound);
      await poll(() => stream.seen().length > 0, { what: 'the first frame' });

      // Deletes one pod of every service at the same time, then the other pods.
      await poll(() => areReplaced([]), {
        what: 'two pods of each service',
        timeoutMs: MINUTES,
        everyMs: 500,
      });
      const pods = await Promise.all(SERVICES.map(podsOf));
      for (const replica of [0, 1]) {
        const gone = pods.flatMap((ofService) => ofService[replica] ?? []);
        await kubectl(['-n', NAMESPACE, 'delete', 'pod', ...gone, '--wait=false']);
        await poll(() => areReplaced(gone), {
          what: `replacements of ${gone.join(' ')}`,
          timeoutMs: 2 * MINUTES,
          everyMs: 500,
        });
      }
      await kubectl(['-n', NAMESPACE, 'rollout', 'restart', 'deployment']);
      for (const service of SERVICES) await rolledOut(NAMESPACE, `deployment/${service}`);
      const replace = async (backend: string) => {
        await kubectl(['-n', BACKENDS_NAMESPACE, 'delete', 'pod', `${backend}-0`]);
        await rolledOut(BACKENDS_NAMESPACE, `statefulset/${backend}`);
      };
      await replace('nats');
      // Nothing can be accepted while the only document store is unavailable.
      await sender.duringOutage(() => replace('mongo'));
      sent = await sender.stop();
      const isComplete = () => missing(idsOf(received)).length === 0 && missing(stream.seen()).length === 0;
      await poll(isComplete, { what: 'every delivery', timeoutMs: MINUTES, everyMs: 250 }).catch(() => {
        // The tests report whatever is missing after the timeout.
      });
    }, 12 * MINUTES);

    const missing = (ids: Iterable<string>) => {
      const arrived = new Set(ids);
      return [...sent.accepted].filter((id) => !arrived.has(id));
    };

    it('responds with 202 to every inbound POST, at the latest on the second try', () => {
      expect({ failures: sent.failures, some: sent.accepted.size > 500 }).toEqual({
        failures: [],
        some: true,
      });
    });

    it('delivers everything that it accepted', () => {
      expect(missing(idsOf(received))).toEqual([]);
    });

    it('repeats only deliveries that were in progress when a pod ended', () => {
      const repeated = received.length - new Set(idsOf(received)).size;
      // Ten pods twice, and the backends: only a few deliveries were in progress at each of those
      // moments.
      expect(repeated).toBeLessThan(100);
    });

    it('shows every submission on a resuming stream, without gaps or duplicates', () => {
      expect({
        missing: missing(stream.seen()),
        resets: stream.resets(),
        twice: twice(stream.seen()),
      }).toEqual({
        missing: [],
        resets: [],
        twice: [],
      });
      expect(stream.reconnects()).toBeGreaterThan(0);
    });
  });
});

/**
 * Reads metrics as Prometheus does: directly from the pod, because requests through a proxy get
 * 404.
 */
async function metricsOf(service: string): Promise<string> {
  const { spec } = await getJson<{ spec: { clusterIP: string } }>('service', service, '-n', NAMESPACE);
  // Until its probe has succeeded again, a pod of the dispatcher isn't behind its Service.
  const response = await poll(() => fetch(`http://${spec.clusterIP}:8080/metrics`).catch(() => null), {
    what: `the metrics of ${service}`,
  });
  return response.text();
}

function metricNamesIn(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return [...new Set(texts.match(/\b(?:svc|http|process)_\w+/g))];
}

const idsOf = (requests: readonly { rawBody: Buffer }[]): string[] =>
  requests.map(({ rawBody }) => (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId);

const twice = (ids: readonly string[]): string[] => ids.filter((id, index) => ids.indexOf(id) !== index);

async function podsOf(service: string): Promise<string[]> {
  const { items } = await getJson<Listed<Pod>>(
    'pods',
    '-n',
    NAMESPACE,
    '-l',
    `app.kubernetes.io/name=${service}`,
  );
  return items.map(({ metadata }) => metadata.name);
}

/** Returns whether each service has two ready pods, none of them in `gone`. */
async function areReplaced(gone: readonly string[]): Promise<boolean> {
  const { items } = await getJson<Listed<Pod>>('pods', '-n', NAMESPACE);
  const ready = items.filter(
    ({ metadata, status }) =>
      !gone.includes(metadata.name) &&
      metadata.deletionTimestamp === undefined &&
      status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  );
  return ready.length === 2 * SERVICES.length;
}

const rolledOut = (namespace: string, what: string) =>
  kubectl(['-n', namespace, 'rollout', 'status', what, '--timeout=120s']);
