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
import { ENGINES, everyComponent, NAMESPACE, run, SERVICES, startCluster } from './start-cluster.ts';
import { watchStream, type StreamWatch } from './watch-stream.ts';

const MINUTES = 60_000;
// A second try, as a noisy machine needs it, is told in the summary: docs/adr/0016.
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

  it.each(['/livez', '/readyz', '/metrics'])('does not show %s outside', async (path) => {
    expect((await fetch(stack.baseUrl + path)).status).toBe(404);
  });

  it.each(['local', 'production'])('is taken by the API server as overlays/%s', async (overlay) => {
    await kubectl(['apply', '--dry-run=server', '-k', `k8s/overlays/${overlay}`]);
  });

  it.each(['local', 'production'])(
    'has nothing that the policy check objects to in overlays/%s',
    async (overlay) => {
      expect(await objectionsTo(`k8s/overlays/${overlay}`)).toEqual([]);
    },
  );

  it('has every figure that the dashboard and the alerts name', async () => {
    const figures = (await Promise.all(SERVICES.map(figuresOf))).join('\n');
    const named = figuresNamedIn(WATCHERS);
    expect(named).toContain('svc_streams_open');
    const isTold = (name: string) => figures.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `);
    expect(named.filter((name) => !isTold(name))).toEqual([]);
  });

  it('puts what the components add into its namespace, and has the dispatcher scaled by one thing', async () => {
    const objects = (await kubectl(['kustomize', everyComponent()])).split('\n---\n');
    const of = (kind: string) => objects.filter((text) => text.includes(`\nkind: ${kind}\n`));
    for (const kind of ['ScaledObject', 'ServiceMonitor', 'PrometheusRule']) {
      expect(of(kind)).toEqual([expect.stringContaining(`\n  namespace: ${NAMESPACE}\n`)]);
    }
    expect(of('ScaledObject')[0]).toContain('minReplicaCount: 3');
    expect(of('HorizontalPodAutoscaler')).toHaveLength(SERVICES.length - 1);
  });

  it('runs the admin command in a pod of its own', async () => {
    const command = 'k8s/admin.sh svcforms/forms-api:local indexes ensure </dev/null';
    expect(await run('bash', ['-c', command])).toMatch(/^the indexes of \d+ collections exist\n$/);
  });

  describe('under load, while every pod goes once', () => {
    let sent: Sent;
    let received: readonly { headers: Record<string, unknown>; rawBody: Buffer }[];
    let stream: StreamWatch;

    beforeAll(async () => {
      const webhookEndpoint = await startWebhookEndpoint(stack.listenerOptions);
      received = webhookEndpoint.requests as typeof received;
      const client = createClient({ baseUrl: stack.baseUrl, token: stack.apiKey });
      const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
      stream = watchStream(stack.baseUrl, stack.apiKey);
      const sender = startSender(stack.baseUrl, inbound);
      await poll(() => stream.seen().length > 0, { what: 'the first frame' });

      // One pod of each service at once, then the other of each.
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
          what: `others in the place of ${gone.join(' ')}`,
          timeoutMs: 2 * MINUTES,
          everyMs: 500,
        });
      }
      await kubectl(['-n', NAMESPACE, 'rollout', 'restart', 'deployment']);
      for (const service of SERVICES) await rolledOut(NAMESPACE, `deployment/${service}`);
      const replace = async (engine: string) => {
        await kubectl(['-n', ENGINES, 'delete', 'pod', `${engine}-0`]);
        await rolledOut(ENGINES, `statefulset/${engine}`);
      };
      await replace('nats');
      // Nothing can be accepted while the only store is away.
      await sender.patiently(() => replace('mongo'));
      sent = await sender.stop();
      const isComplete = () => missing(idsOf(received)).length === 0 && missing(stream.seen()).length === 0;
      await poll(isComplete, { what: 'all to arrive', timeoutMs: MINUTES, everyMs: 250 }).catch(() => {
        // What is missing by now is for the tests to tell.
      });
    }, 12 * MINUTES);

    const missing = (ids: Iterable<string>) => {
      const arrived = new Set(ids);
      return [...sent.accepted].filter((id) => !arrived.has(id));
    };

    it('answers every inbound POST with 202, at the latest at its second try', () => {
      expect({ complaints: sent.complaints, some: sent.accepted.size > 500 }).toEqual({
        complaints: [],
        some: true,
      });
    });

    it('delivers all that it accepted', () => {
      expect(missing(idsOf(received))).toEqual([]);
    });

    it('delivers repeatedly only what was under way when something ended', () => {
      const repeated = received.length - new Set(idsOf(received)).size;
      // Ten pods twice, and the engines: at most a few deliveries were under way at each of those moments.
      expect(repeated).toBeLessThan(100);
    });

    it('shows all of them on a stream that resumes, without a gap and none twice', () => {
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

/** As Prometheus reads them: directly, because what came through a proxy finds nothing there. */
async function figuresOf(service: string): Promise<string> {
  const { spec } = await getJson<{ spec: { clusterIP: string } }>('service', service, '-n', NAMESPACE);
  return (await fetch(`http://${spec.clusterIP}:8080/metrics`)).text();
}

function figuresNamedIn(files: readonly string[]): string[] {
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

/** Whether each service has its two pods ready, none of which is among these. */
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
