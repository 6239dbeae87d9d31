import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import {
  atEnd,
  createClient,
  createFormWithWebhook,
  newApiKey,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
} from '@svcforms/test-kit';
import { join } from 'node:path';
import { EVENT_TYPES, collectEvidence, type Evidence } from './evidence.ts';
import { fillWhileKilled, limitScenarios, type Filled } from './fill-while-killed.ts';
import { killAndRestart } from './kill.ts';
import { lossScenarios } from './loss-scenarios.ts';
import { LOSS_SETTINGS, slowResponse } from './loss-settings.ts';
import { sendWhile } from './send-while.ts';

const KILLS = 5;

describe('the standalone on its embedded stores, killed repeatedly', () => {
  let evidence: Evidence;
  let filled: Filled;

  beforeAll(async () => {
    const apiKey = newApiKey();
    const folder = tempFolder();
    const env = { ...testSettings({ apiKey }), ...LOSS_SETTINGS, SVC_DATA_DIR: folder };
    const product = await startProcess('standalone', { env });
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const webhookEndpoint = await startWebhookEndpoint({ respond: slowResponse });
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url, { events: EVENT_TYPES });

    const load = await sendWhile({
      count: 2_000,
      baseUrl: product.url,
      inbound,
      faults: Array.from({ length: KILLS }, () => () => killAndRestart(product)),
    });

    const database = openEmbeddedDatabase(join(folder, 'svcforms.db'), { shared: true });
    atEnd(() => database.close());
    const store = createEmbeddedStore(database);
    atEnd(() => store.close());
    evidence = await collectEvidence(load, { store, webhookEndpoint, kills: KILLS });
    const kill = () => killAndRestart(product);
    filled = await fillWhileKilled(client, client, [kill, kill, kill]);
  }, 300_000);

  lossScenarios(() => evidence);
  limitScenarios(() => filled);
});
