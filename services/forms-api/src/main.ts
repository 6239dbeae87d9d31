import { readSettings } from '@svcforms/runtime';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, requireBackends, runProcess, targetPolicy } from '@svcforms/runtime';
import { bootstrap, firstAccountNotice } from '@svcforms/identity';
import { createGuard, createGuardedClient, parsePolicy } from '@svcforms/outbound';
import { createSecretBox } from '@svcforms/signing';
import { formsApiConfig } from './config.ts';
import { createFormsApi } from './service.ts';

runProcess('forms-api', async () => {
  const settings = readSettings(process.env);
  const { natsUrl, mongoUrl, encryptionKeys } = requireBackends(settings);
  const policy = parsePolicy(targetPolicy(settings));
  const client = createGuardedClient(policy);
  const log = createLogger({ name: 'forms-api', level: settings.LOG_LEVEL, to: 1 });
  const store = await connectMongoStore({ url: mongoUrl });
  const bus = await connectNatsBus({
    url: natsUrl,
    name: 'forms-api',
    maxBytes: settings.SVC_STREAM_MAX_BYTES,
    log,
  });
  const service = createFormsApi(formsApiConfig(settings, { folder: __dirname }), {
    store,
    bus,
    guard: createGuard(policy),
    client,
    secretBox: createSecretBox(encryptionKeys),
    log,
  });

  const first = await bootstrap({ store }, settings);
  if (first) process.stdout.write(firstAccountNotice(first));

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
