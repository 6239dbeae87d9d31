import { readSettings } from '@svcforms/runtime';
import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, publicOrigin, runProcess, targetPolicy } from '@svcforms/runtime';
import { bootstrap, firstAccountNotice } from '@svcforms/identity';
import { parsePolicy } from '@svcforms/outbound';
import { createSecretBox } from '@svcforms/signing';
import { openEngines } from './engines.ts';
import { dataFolder, encryptionKeysIn } from './embedded-files.ts';
import { createServices } from './services.ts';

runProcess('svcforms', async () => {
  const settings = readSettings(process.env);
  const policy = parsePolicy(targetPolicy(settings));
  const folder = dataFolder(settings);
  const secretBox = createSecretBox(encryptionKeysIn(folder, settings));
  const log = createLogger({ name: 'svcforms', level: settings.LOG_LEVEL, to: 2 });
  const engines = await openEngines(settings, { folder, log });
  const { store, bus, isEmbeddedStore, insertWithEvents } = engines;
  const { services, close } = createServices(
    settings,
    { policy, isSoleProcess: isEmbeddedStore },
    { store, bus, insertWithEvents, secretBox, log },
  );
  const first = await bootstrap({ store }, settings);
  if (first) process.stdout.write(firstAccountNotice(first));

  const host = createHost(
    { ...hostSettings(settings, { metricsFrom: 'loopback' }), services },
    { store, bus, log },
  );
  await host.start();
  process.stdout.write(`SvcForms is ready at ${publicOrigin(settings)}\n`);
  return {
    async stop() {
      await host.stop();
      close();
      await engines.close();
    },
  };
});
