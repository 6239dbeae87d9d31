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
import { describeMainJob } from '../e2e/scenarios/main-job.ts';
import { walkScenarios } from '../e2e/scenarios/walk.ts';
import { productOf, type Product, type Stack } from '../e2e/stack.ts';
import { componentOverlay } from '../manifests/component-overlay.ts';
import { backupScenarios } from './backup.ts';
import { busOutageScenarios } from './bus-outage.ts';
import { cutNetworkScenarios } from './cut-network.ts';
import { startSender, type Sent } from './disruption.ts';
import { installGatewayApi, startGateway } from './gateway-api.ts';
import { kubectl } from './kubectl.ts';
import { addressesOf, areReplaced, metricsOf, podsOf } from './pods.ts';
import { submissionIdsIn, twice } from './received.ts';
import {
  adminInOwnPod,
  BACKENDS_NAMESPACE,
  everyComponent,
  NAMESPACE,
  SERVICES,
  startCluster,
  startKubernetes,
} from './start-cluster.ts';
import { watchStream, type StreamWatch } from './watch-stream.ts';

const MINUTES = 60_000;
// A noisy machine may need a second try; the summary lists every retried test: ADR 0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const WATCHERS = ['k8s/monitoring/grafana-dashboard.json', 'k8s/components/alerts/alerts.yaml'];

describeWith(['kubernetes', 'compose'], 'the local overlay in a cluster', () => {
  let stack: Stack;

  // Perhaps it is still being compiled.
  beforeAll(startKubernetes, 20 * MINUTES);

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

  describe('with the Gateway API', () => {
    let product: Product;
    beforeAll(async () => {
      await installGatewayApi();
      product = productOf({ ...stack, baseUrl: await startGateway() });
    }, 2 * MINUTES);

    it('passes the validation of the API server with components/gateway-api', async () => {
      await kubectl(['apply', '--dry-run=server', '-k', componentOverlay('gateway-api')]);
    });

    walkScenarios(() => product);

    it.each(['/livez', '/readyz', '/metrics'])('does not expose %s through its HTTPRoutes', async (path) => {
      expect((await fetch(product.baseUrl + path)).status).toBe(404);
    });
  });

  it('exports every metric that the dashboard and the alerts name', async () => {
    const metrics = (await Promise.all(SERVICES.map(metricsOf))).join('\n');
    const named = metricNamesIn(WATCHERS);
    expect(named).toContain('svc_streams_open');
    const isExported = (name: string) =>
      metrics.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `);
    expect(named.filter((name) => !isExported(name))).toEqual([]);
  });

  it('returns the version of each service, and that of forms-api through its Ingress objects', async () => {
    const expected = { version, commit: expect.stringMatching(/^([0-9a-f]{40}|unknown)$/) as string };
    const pods = (await Promise.all(SERVICES.map(addressesOf))).flat();
    const origins = [...pods.map(({ address }) => `http://${address}:8080`), stack.baseUrl];
    for (const origin of origins) expect(await (await fetch(`${origin}/version`)).json()).toEqual(expected);
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
    expect(await adminInOwnPod('indexes', 'ensure')).toMatch(/^the indexes of \d+ collections exist\n$/);
  });

  backupScenarios();
  busOutageScenarios(() => stack);
  cutNetworkScenarios(() => stack);

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
      await kubectl(['-n', BACKENDS_NAMESPACE, 'delete', 'pod', 'nats-0']);
      await rolledOut(BACKENDS_NAMESPACE, 'statefulset/nats');
      // Nothing can be accepted while the only document store is unavailable.
      await sender.duringOutage(async (isRefused) => {
        const scale = (replicas: number) =>
          kubectl(['-n', BACKENDS_NAMESPACE, 'scale', 'statefulset/mongo', `--replicas=${replicas}`]);
        await scale(0);
        await poll(isRefused, { what: 'a refused request', timeoutMs: MINUTES });
        await scale(1);
        await rolledOut(BACKENDS_NAMESPACE, 'statefulset/mongo');
      });
      sent = await sender.stop();
      const isComplete = () =>
        missing(submissionIdsIn(received)).length === 0 && missing(stream.seen()).length === 0;
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

    it('responds with 503 and a time to try again while MongoDB is down', () => {
      const outcomes = new Set(sent.refused.map(({ status, code }) => `${status} ${code}`));
      // The second try of a request may find that the first one is still in progress.
      outcomes.delete('409 IDEMPOTENCY_IN_PROGRESS');
      expect([...outcomes]).toEqual(['503 UNAVAILABLE']);
      for (const { retryAfter } of sent.refused) expect(retryAfter).toMatch(/^[1-9]\d*$/);
    });

    it('delivers everything that it accepted', () => {
      expect(missing(submissionIdsIn(received))).toEqual([]);
    });

    it('repeats only deliveries that were in progress when a pod ended', () => {
      const repeated = received.length - new Set(submissionIdsIn(received)).size;
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

function metricNamesIn(files: readonly string[]): string[] {
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  return [...new Set(texts.match(/\b(?:svc|http|process)_\w+/g))];
}

const rolledOut = (namespace: string, what: string) =>
  kubectl(['-n', namespace, 'rollout', 'status', what, '--timeout=120s']);
