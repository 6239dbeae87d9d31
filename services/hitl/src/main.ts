import { readSettings } from '@svcforms/runtime';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, requireBackends, runProcess, targetPolicy } from '@svcforms/runtime';
import { createGuard, createGuardedClient, parsePolicy } from '@svcforms/outbound';
import { createSecretBox } from '@svcforms/signing';
import { hitlConfig } from './config.ts';
import { createHitl } from './service.ts';

runProcess('hitl', async () => {
  const settings = readSettings(process.env);
  const { natsUrl, mongoUrl, encryptionKeys } = requireBackends(settings);
  const policy = parsePolicy(targetPolicy(settings));
  const client = createGuardedClient(policy);
  const log = createLogger({ name: 'hitl', level: settings.LOG_LEVEL, to: 1 });
  const store = await connectMongoStore({ url: mongoUrl });
  const bus = await connectNatsBus({
    url: natsUrl,
    name: 'hitl',
    maxBytes: settings.SVC_STREAM_MAX_BYTES,
    log,
  });
  const service = createHitl(hitlConfig(settings), {
    store,
    bus,
    guard: createGuard(policy),
    client,
    secretBox: createSecretBox(encryptionKeys),
    log,
  });

  const host = createHost({ ...hostSettings(settings), services: [service] }, { store, bus, log });
  await host.start();
  return {
    async stop() {
      await host.stop();
      client.close();
      await bus.close();
      await store.close();
    },
  };
});
