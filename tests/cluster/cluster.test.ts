import { createClient, createFormWithWebhook, describeWith, poll, startListener } from '@svcforms/test-kit';
import { describeMainJob } from '../e2e/main-job.ts';
import type { Stack } from '../e2e/stack.ts';
import { objectionsTo } from './check-policy.ts';
import { startSender, type Sent } from './disruption.ts';
import { getJson, kubectl, type Listed } from './kubectl.ts';
import { ENGINES, NAMESPACE, SERVICES, startCluster } from './start-cluster.ts';
import { watchStream, type StreamWatch } from './watch-stream.ts';

const MINUTES = 60_000;
// A second try, as a noisy machine needs it, is told in the summary: docs/adr/0016.
jest.retryTimes(1, { logErrorsBeforeRetry: true });

interface Pod {
  metadata: { name: string };
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

  describe('under load, while every pod goes once', () => {
    let sent: Sent;
    let received: readonly { headers: Record<string, unknown>; rawBody: Buffer }[];
    let stream: StreamWatch;

    beforeAll(async () => {
      const listener = await startListener(stack.listenerOptions);
      received = listener.requests as typeof received;
      const client = createClient({ baseUrl: stack.baseUrl, token: stack.apiKey });
      const { inbound } = await createFormWithWebhook(client, listener.url);
      stream = watchStream(stack.baseUrl, stack.apiKey);
      const sender = startSender(stack.baseUrl, inbound);
      await poll(() => stream.seen().length > 0, { what: 'the first frame' });

      for (const service of SERVICES) {
        for (const name of await podsOf(service)) {
          await kubectl(['-n', NAMESPACE, 'delete', 'pod', name, '--wait=false']);
          await rolledOut(NAMESPACE, `deployment/${service}`);
        }
      }
      for (const service of SERVICES) {
        await kubectl(['-n', NAMESPACE, 'rollout', 'restart', `deployment/${service}`]);
      }
      for (const service of SERVICES) await rolledOut(NAMESPACE, `deployment/${service}`);
      for (const engine of ['nats', 'mongo']) {
        await sender.patiently(async () => {
          await kubectl(['-n', ENGINES, 'delete', 'pod', `${engine}-0`]);
          await rolledOut(ENGINES, `statefulset/${engine}`);
        });
      }
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

const rolledOut = (namespace: string, what: string) =>
  kubectl(['-n', namespace, 'rollout', 'status', what, '--timeout=120s']);
