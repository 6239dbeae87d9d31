import {
  createClient,
  createFormWithWebhook,
  describeWith,
  poll,
  sendInbound,
  startWebhookEndpoint,
} from '@svcforms/test-kit';
import type { Stack } from '../e2e/stack.ts';
import { cutOff } from './pod-network.ts';
import { addressesOf, areReplaced, metricsAt, samplesOf, type ServiceName } from './pods.ts';
import { startPrometheus, type ActiveAlert } from './prometheus.ts';
import { submissionIdsIn } from './received.ts';

const MINUTE = 60_000;
const NATS_PORT = 4222;
const SENT = 3;

const backendDown = ({ labels }: ActiveAlert) =>
  labels['alertname'] === 'SvcFormsBackendDown' &&
  labels['job'] === 'webhook-dispatcher' &&
  labels['backend'] === 'bus';
const eventsNotRead = ({ labels }: ActiveAlert) =>
  labels['alertname'] === 'SvcFormsEventsNotRead' && labels['durable'] === 'dispatcher';

/** What pods of a service say of their backends, each in turn. */
async function backendsOf(service: ServiceName): Promise<Record<string, number>[]> {
  const pods = await addressesOf(service);
  return Promise.all(pods.map(async ({ address }) => samplesOf('svc_backend_up', await metricsAt(address))));
}

/** The events that the dispatcher hasn't read, as a pod of forms-api reports them. */
async function lag(): Promise<number | undefined> {
  const [pod] = await addressesOf('forms-api');
  return samplesOf('svc_bus_lag_events', await metricsAt(pod?.address ?? ''))['dispatcher'];
}

/** A network that fails between one service and the bus: docs/operations.md#alerts */
export function cutNetworkScenarios(stack: () => Stack): void {
  describeWith(['root', 'promtool'], 'a dispatcher that is cut off from NATS', () => {
    it(
      'shows in the metrics of two services and in the alerts, until it is connected again',
      async () => {
        await poll(() => areReplaced([]), {
          what: 'two ready pods of each service',
          timeoutMs: MINUTE,
          everyMs: 250,
        });
        const { baseUrl, apiKey, webhookEndpointOptions } = stack();
        const endpoint = await startWebhookEndpoint(webhookEndpointOptions);
        const client = createClient({ baseUrl, token: apiKey });
        const { inbound } = await createFormWithWebhook(client, endpoint.url);
        await poll(async () => (await lag()) === 0, { what: 'a log without unread events', everyMs: 250 });
        const prometheus = await startPrometheus();
        const areActive = async () => {
          const alerts = await prometheus.activeAlerts();
          return { backendDown: alerts.some(backendDown), eventsNotRead: alerts.some(eventsNotRead) };
        };
        expect(await areActive()).toEqual({ backendDown: false, eventsNotRead: false });

        const dispatchers = await addressesOf('webhook-dispatcher');
        const mend = await cutOff(
          dispatchers.map(({ address }) => address),
          NATS_PORT,
        );
        const accepted: string[] = [];
        try {
          await poll(async () => (await backendsOf('webhook-dispatcher')).every(({ bus }) => bus === 0), {
            what: 'svc_backend_up of the dispatcher',
            everyMs: 250,
          });
          for (let sent = 0; sent < SENT; sent += 1) {
            const { body } = await sendInbound(client, inbound, { email: 'ada@example.com' });
            accepted.push(body.data.submissionId);
          }
          // The two events of an inbound submission are one message, or two.
          await poll(async () => ((await lag()) ?? 0) >= SENT, { what: 'the lag that forms-api reports' });
          await poll(
            async () => {
              const active = await areActive();
              return active.backendDown && active.eventsNotRead;
            },
            // The second one looks at whole minutes.
            { what: 'both alerts', timeoutMs: 1.5 * MINUTE, everyMs: 250 },
          );
          expect(await backendsOf('webhook-dispatcher')).toEqual(
            dispatchers.map(() => ({ store: 1, bus: 0 })),
          );
          expect(await backendsOf('forms-api')).toEqual([
            { store: 1, bus: 1 },
            { store: 1, bus: 1 },
          ]);
          expect(endpoint.requests).toEqual([]);
        } finally {
          await mend();
        }

        await poll(() => endpoint.requests.length >= SENT, { what: 'every delivery', timeoutMs: MINUTE });
        await poll(async () => (await lag()) === 0, { what: 'no lag', timeoutMs: MINUTE, everyMs: 250 });
        expect(submissionIdsIn(endpoint.requests).toSorted()).toEqual(accepted.toSorted());
        await poll(async () => (await backendsOf('webhook-dispatcher')).every(({ bus }) => bus === 1), {
          what: 'svc_backend_up of the dispatcher',
          timeoutMs: MINUTE,
          everyMs: 250,
        });
        await poll(
          async () => {
            const active = await areActive();
            return !active.backendDown && !active.eventsNotRead;
          },
          { what: 'no alert', timeoutMs: MINUTE, everyMs: 250 },
        );
        await prometheus.stop();
        await poll(() => areReplaced([]), {
          what: 'ready dispatchers',
          timeoutMs: MINUTE,
          everyMs: 250,
        });
      },
      6 * MINUTE,
    );
  });
}
