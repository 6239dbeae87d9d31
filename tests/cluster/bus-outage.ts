import {
  addWebhook,
  createClient,
  createForm,
  openInbound,
  poll,
  startWebhookEndpoint,
  type OpenedInbound,
  type ReceivedRequest,
  TEST_TIMEOUT_MS,
} from '@svcforms/test-kit';
import type { Stack } from '../e2e/stack.ts';
import { kubectl } from './kubectl.ts';
import { areGone, areReplaced, metricsOf, podsOf, samplesOf } from './pods.ts';
import { BACKENDS_NAMESPACE, isRouted, NAMESPACE } from './start-cluster.ts';
import { startWithWrongCredentials } from './wrong-credentials.ts';

const MINUTE = 60_000;
/** The services that accept submissions and tasks. */
const ACCEPTING = ['inbound-gateway', 'forms-api', 'hitl'] as const;
/**
 * The time in which new pods must be ready without the bus: 30 seconds, or longer where other jobs
 * share the machine.
 */
const READY_WITHIN_MS = 1.5 * TEST_TIMEOUT_MS;
const ROUTED_CHECKS = 8;
const SENT_EACH = 5;
const VALUES = { email: 'ada@example.com' };

/** What happened in an outage of NATS in which all pods that accept were replaced. */
interface Outage {
  /** How long it took until each deleted pod had a ready successor. */
  readyAfterMs: number;
  /** The statuses of the requests that new pods handled, in the order in which they were sent. */
  statuses: number[];
  /** The ids of the accepted submissions and tasks. */
  accepted: string[];
  /** The ids of those that were delivered, in the order of their arrival. */
  delivered: { before: string[]; afterwards: string[] };
  /**
   * The log of a pod that started without NATS and with wrong credentials, and its readiness
   * afterwards.
   */
  wrong: { log: string; readiness: { status: number; body: unknown } };
}

async function scaleNats(replicas: 0 | 1): Promise<void> {
  const nats = ['-n', BACKENDS_NAMESPACE];
  await kubectl([...nats, 'scale', 'statefulset/nats', `--replicas=${replicas}`]);
  if (replicas === 1) await kubectl([...nats, 'rollout', 'status', 'statefulset/nats', '--timeout=120s']);
  else await kubectl([...nats, 'wait', '--for=delete', 'pod/nats-0', '--timeout=120s']);
}

/** Replaces all pods that accept. Returns how long it took until each had a ready successor. */
async function replaceAcceptingPods(): Promise<number> {
  const gone = (await Promise.all(ACCEPTING.map(podsOf))).flat();
  const startedAt = performance.now();
  await kubectl(['-n', NAMESPACE, 'delete', 'pod', ...gone, '--wait=false']);
  await poll(() => areReplaced(gone, ACCEPTING), {
    what: `ready successors of ${gone.join(' ')}`,
    timeoutMs: 2 * MINUTE,
    everyMs: 250,
  });
  const readyAfterMs = performance.now() - startedAt;
  // Until then, an old pod might still be the one that responds.
  await poll(() => areGone(gone), { what: `the end of ${gone.join(' ')}`, timeoutMs: MINUTE, everyMs: 250 });
  return readyAfterMs;
}

/**
 * Resolves once the node has forgotten the addresses of the old pods: several checks in a row reach
 * new ones.
 */
async function routedForAWhile(baseUrl: string): Promise<void> {
  let inARow = 0;
  await poll(async () => (inARow = (await isRouted(baseUrl)) ? inARow + 1 : 0) >= ROUTED_CHECKS, {
    what: 'the addresses of the new pods',
    timeoutMs: MINUTE,
    everyMs: 250,
  });
}

/** Sends inbound submissions, submissions of visitors, and tasks, each once. */
async function sendAll(
  { baseUrl, apiKey }: Stack,
  { formId, token }: OpenedInbound,
): Promise<Pick<Outage, 'statuses' | 'accepted'>> {
  const visitor = createClient({ baseUrl });
  const sender = createClient({ baseUrl, token });
  const agent = createClient({ baseUrl, token: apiKey });
  const statuses: number[] = [];
  const accepted: string[] = [];
  for (let sent = 0; sent < SENT_EACH; sent += 1) {
    for (const { status, body } of [
      await sender.post<{ submissionId: string }>(`/api/inbound/${formId}`, { body: VALUES }),
      await visitor.post<{ submissionId: string }>(`/api/forms/${formId}/submissions`, {
        body: { data: VALUES },
      }),
    ]) {
      statuses.push(status);
      if (status < 300) accepted.push(body.data.submissionId);
    }
    const task = await agent.post<{ id: string }>('/api/mcp/tasks', {
      body: { templateId: formId, title: 'Approve', prefill: VALUES },
    });
    statuses.push(task.status);
    if (task.status < 300) accepted.push(task.body.data.id);
  }
  return { statuses, accepted };
}

/** The id of the submission or the task that a webhook request is about. */
const idIn = ({ headers, rawBody }: ReceivedRequest): string =>
  String(headers['svc-task-id'] ?? (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId);

/** Returns whether no event waits in the store or in the log. */
async function isAllRead(): Promise<boolean> {
  const metrics = await metricsOf('forms-api');
  const ages = Object.values(samplesOf('svc_outbox_oldest_seconds', metrics));
  return samplesOf('svc_bus_lag_events', metrics)['dispatcher'] === 0 && ages.every((age) => age === 0);
}

async function liveThroughOutage(stack: Stack): Promise<Outage> {
  const endpoint = await startWebhookEndpoint(stack.webhookEndpointOptions);
  const client = createClient({ baseUrl: stack.baseUrl, token: stack.apiKey });
  const form = await createForm(client);
  const inbound = await openInbound(client, form.id);
  const events = ['form.submission.new', 'decision.requested'] as const;
  await addWebhook(client, form.id, { url: endpoint.url, events });
  const delivered = () => endpoint.requests.map(idIn);

  await scaleNats(0);
  try {
    const [pod, readyAfterMs] = await Promise.all([
      startWithWrongCredentials('late'),
      replaceAcceptingPods(),
    ]);
    await pod.isReady();
    await routedForAWhile(stack.baseUrl);
    const { statuses, accepted } = await sendAll(stack, inbound);
    const before = delivered();

    await scaleNats(1);
    await poll(() => new Set(delivered()).size >= accepted.length, {
      what: 'every delivery',
      timeoutMs: MINUTE,
    });
    await poll(isAllRead, { what: 'an empty outbox and log', timeoutMs: MINUTE, everyMs: 250 });
    const log = await poll(
      async () => {
        const text = await pod.log();
        return text.includes('"level":"error"') && text;
      },
      { what: 'an error of the pod with wrong credentials', everyMs: 250 },
    );
    const wrong = { log, readiness: await pod.readiness() };
    await pod.remove();
    return { readyAfterMs, statuses, accepted, delivered: { before, afterwards: delivered() }, wrong };
  } finally {
    await scaleNats(1);
  }
}

/** A drain of all nodes in an outage of NATS: docs/adr/0045-nats-clusters-and-late-start.md */
export function busOutageScenarios(stack: () => Stack): void {
  describe('all pods that accept, replaced while NATS is down', () => {
    let outage: Outage;
    // Once, without a retry: lost or repeated deliveries are rare faults.
    beforeAll(async () => {
      outage = await liveThroughOutage(stack());
    }, 6 * MINUTE);

    it('have ready successors in time', () => {
      expect(outage.readyAfterMs).toBeLessThan(READY_WITHIN_MS);
    });

    it('have successors that accept every submission and task', () => {
      expect(outage.statuses).toEqual(Array.from({ length: SENT_EACH }, () => [202, 201, 201]).flat());
    });

    it('lose nothing: everything is delivered once when NATS is back', () => {
      expect(outage.delivered.before).toEqual([]);
      expect(outage.delivered.afterwards.toSorted()).toEqual(outage.accepted.toSorted());
    });

    it('report wrong credentials as soon as a server refuses them', () => {
      expect(outage.wrong.log).toContain('Authorization Violation');
      expect(outage.wrong.readiness).toMatchObject({ status: 503, body: { failing: ['bus'] } });
    });
  });

  it(
    'a pod with wrong credentials for NATS exits and says why',
    async () => {
      const pod = await startWithWrongCredentials('early');
      expect(await pod.exitCode()).toBe(69);
      expect(await pod.log()).toMatch(/^inbound-gateway: .*Authorization Violation/m);
      await pod.remove();
    },
    2 * MINUTE,
  );
}
