import { readSettings } from '@svcforms/runtime';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, requireBackends, runProcess } from '@svcforms/runtime';
import { createSecretBox } from '@svcforms/signing';
import { createInboundGateway } from './service.ts';

runProcess('inbound-gateway', async () => {
  const settings = readSettings(process.env);
  const { natsUrl, mongoUrl, encryptionKeys } = requireBackends(settings);
  const log = createLogger({ name: 'inbound-gateway', level: settings.LOG_LEVEL, to: 1 });
  const store = await connectMongoStore({ url: mongoUrl });
  const bus = await connectNatsBus({
    url: natsUrl,
    name: 'inbound-gateway',
    maxBytes: settings.SVC_STREAM_MAX_BYTES,
    log,
  });
  const service = createInboundGateway({
    store,
    bus,
    secretBox: createSecretBox(encryptionKeys),
    log,
  });

  const host = createHost({ ...hostSettings(settings), services: [service] }, { store, bus, log });
  await host.start();
  return {
    async stop() {
      await host.stop();
      await bus.close();
      await store.close();
    },
  };
});
