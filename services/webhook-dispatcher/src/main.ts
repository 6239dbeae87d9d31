import { connectMongoStore } from '@svcforms/document-store/mongo';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import { createHost, hostSettings } from '@svcforms/http';
import { createGuardedClient, parsePolicy } from '@svcforms/outbound';
import { createLogger, readSettings, requireBackends, runProcess, targetPolicy } from '@svcforms/runtime';
import { createSecretBox } from '@svcforms/signing';
import { dispatcherConfig, mailerOptions } from './config.ts';
import { createMailer } from './mail/mailer.ts';
import { createDispatcher } from './service.ts';

runProcess('webhook-dispatcher', async () => {
  const settings = readSettings(process.env);
  const { natsUrl, mongoUrl, encryptionKeys } = requireBackends(settings);
  const client = createGuardedClient(parsePolicy(targetPolicy(settings)));
  const mailer = createMailer(mailerOptions(settings));
  const log = createLogger({ name: 'webhook-dispatcher', level: settings.LOG_LEVEL, to: 1 });
  const store = await connectMongoStore({ url: mongoUrl });
  const bus = await connectNatsBus({
    url: natsUrl,
    name: 'webhook-dispatcher',
    maxBytes: settings.SVC_STREAM_MAX_BYTES,
    log,
  });
  const service = createDispatcher(dispatcherConfig(settings, { soleProcess: false }), {
    store,
    bus,
    client,
    mailer,
    secretBox: createSecretBox(encryptionKeys),
    log,
  });

  const host = createHost({ ...hostSettings(settings), services: [service] }, { store, bus, log });
  await host.start();
  return {
    async stop() {
      await host.stop();
      client.close();
      mailer.close();
      await bus.close();
      await store.close();
    },
  };
});
