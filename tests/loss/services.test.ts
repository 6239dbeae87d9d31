import { connectMongoStore } from '@svcforms/document-store/mongo';
import {
  atEnd,
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  startWebhookEndpoint,
  startNats,
  startProcess,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';
import { EVENT_TYPES, collectEvidence, type Evidence } from './evidence.ts';
import { lossScenarios } from './loss-scenarios.ts';
import { fillWhileKilled, limitScenarios, type Filled } from './fill-while-killed.ts';
import { killAndRestart, restart } from './kill.ts';
import { LOSS_SETTINGS, slowResponse } from './loss-settings.ts';
import { sendWhile } from './send-while.ts';

describeWith(['nats', 'mongo'], 'services that are killed while their bus restarts', () => {
  let evidence: Evidence;
  let filled: Filled;

  beforeAll(async () => {
    const apiKey = newApiKey();
    const nats = await startNats();
    atEnd(() => nats.remove());
    const env: Record<string, string> = { ...(await serviceSettings(nats.url, apiKey)), ...LOSS_SETTINGS };
    const formsApi = await startProcess('forms-api', { env });
    const gateway = await startProcess('inbound-gateway', { env });
    const dispatcher = await startProcess('webhook-dispatcher', { env });
    const webhookEndpoint = await startWebhookEndpoint({ respond: slowResponse });
    const client = createClient({ baseUrl: formsApi.url, token: apiKey });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url, { events: EVENT_TYPES });
    const store = await connectMongoStore({ url: env['MONGODB_URL'] ?? '' });
    atEnd(() => store.close());

    const killGateway = () => killAndRestart(gateway);
    const killDispatcher = () => killAndRestart(dispatcher);
    const load = await sendWhile({
      count: 2_000,
      baseUrl: gateway.url,
      inbound,
      faults: [
        killGateway,
        killDispatcher,
        async () => {
          await nats.halt();
          await gateway.kill('SIGKILL');
          await nats.resume();
          await restart(gateway);
        },
        killDispatcher,
        async () => void (await Promise.all([killGateway(), killDispatcher()])),
        async () => void (await Promise.all([nats.crash(), killDispatcher()])),
        killGateway,
        killDispatcher,
        killGateway,
      ],
    });
    evidence = await collectEvidence(load, { store, webhookEndpoint, kills: 5 });
    const visitor = createClient({ baseUrl: gateway.url });
    filled = await fillWhileKilled(client, visitor, [killGateway, killGateway, killGateway]);
  }, 300_000);

  lossScenarios(() => evidence);
  limitScenarios(() => filled);
});
