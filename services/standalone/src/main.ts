import { readSettings } from '@svcforms/contracts';
import {
  createHost,
  createLogger,
  hostSettings,
  publicOrigin,
  runProcess,
  targetPolicy,
} from '@svcforms/http-kit';
import { createFormsApi } from '@svcforms/forms-api';
import { formsApiConfig } from '@svcforms/forms-api/config';
import { bootstrap, firstAccountNotice } from '@svcforms/identity';
import { createInboundGateway } from '@svcforms/inbound-gateway';
import { createGuard, createGuardedClient, parsePolicy } from '@svcforms/outbound';
import { createSecretBox } from '@svcforms/signing';
import { createDispatcher } from '@svcforms/webhook-dispatcher';
import { dispatcherConfig } from '@svcforms/webhook-dispatcher/config';
import { openEngines } from './engines.ts';
import { dataFolder, encryptionKeysIn } from './embedded-files.ts';

runProcess('svcforms', async () => {
  const settings = readSettings(process.env);
  const policy = parsePolicy(targetPolicy(settings));
  const folder = dataFolder(settings);
  const secretBox = createSecretBox(encryptionKeysIn(folder, settings));
  const log = createLogger({ name: 'svcforms', level: settings.LOG_LEVEL, to: 2 });
  const engines = await openEngines(settings, { folder, log });
  const { store, bus, isEmbeddedStore } = engines;
  const client = createGuardedClient(policy);
  const shared = { store, bus, secretBox, log };
  const services = [
    createDispatcher(dispatcherConfig(settings, { soleProcess: isEmbeddedStore }), { ...shared, client }),
    createFormsApi(formsApiConfig(settings), { ...shared, client, guard: createGuard(policy) }),
    createInboundGateway(shared),
  ];
  const first = await bootstrap({ store }, settings);
  if (first) process.stdout.write(firstAccountNotice(first));

  const host = createHost({ ...hostSettings(settings), services }, { store, bus, log });
  await host.start();
  process.stdout.write(`SvcForms is ready at ${publicOrigin(settings)}\n`);
  return {
    async stop() {
      await host.stop();
      client.close();
      await engines.close();
    },
  };
});
