import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, publicOrigin, readSettings, runProcess } from '@svcforms/runtime';
import { createOutbound, ensureFirstAccount } from '@svcforms/service-runner';
import { createSecretBox } from '@svcforms/signing';
import { openBackends } from './backends.ts';
import { dataFolder, encryptionKeysIn } from './embedded-files.ts';
import { createServices } from './services.ts';

runProcess('svcforms', async () => {
  const settings = readSettings(process.env);
  const outbound = await createOutbound(settings);
  const folder = dataFolder(settings);
  const secretBox = createSecretBox(encryptionKeysIn(folder, settings));
  const log = createLogger({ name: 'svcforms', level: settings.LOG_LEVEL, to: 2 });
  const backends = await openBackends(settings, { folder, log });
  const { services, close } = createServices(settings, { ...backends, ...outbound, secretBox, log });
  await ensureFirstAccount(backends.store, settings);

  const options = { ...hostSettings(settings, { metricsFrom: 'loopback' }), services };
  const host = createHost(options, { ...backends, log });
  await host.start();
  process.stdout.write(`SvcForms is ready at ${publicOrigin(settings)}\n`);
  return {
    async stop() {
      await host.stop();
      close();
      await backends.close();
    },
  };
});
