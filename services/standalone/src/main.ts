import { createHost, hostSettings, openFreePort } from '@svcforms/http';
import { refuseHalfRestored } from '@svcforms/records';
import { createLogger, publicOrigin, readSettings, runProcess } from '@svcforms/runtime';
import { createOutbound, ensureFirstAccount } from '@svcforms/service-runner';
import { createSecretBox } from '@svcforms/signing';
import { startTelemetry } from '@svcforms/telemetry';
import { openBackends } from './backends.ts';
import { dataFolder, encryptionKeysIn } from './embedded-files.ts';
import { createServices } from './services.ts';

runProcess('svcforms', async () => {
  const given = readSettings(process.env);
  // Links contain the port, so it must be known before the services are created.
  const opened = given.SVC_PORT === 0 ? await openFreePort(given.SVC_HOST) : undefined;
  const settings = opened ? { ...given, SVC_PORT: opened.port } : given;
  const log = createLogger({ name: 'svcforms', level: settings.LOG_LEVEL, to: 2 });
  const busSystem = settings.NATS_URL ? 'nats' : 'svcforms';
  const telemetry = await startTelemetry(settings, { name: 'svcforms', busSystem, log });
  const tracing = telemetry?.tracing;
  const outbound = await createOutbound(settings, tracing);
  const folder = dataFolder(settings);
  const secretBox = createSecretBox(encryptionKeysIn(folder, settings, log));
  const backends = await openBackends(settings, { folder, log });
  await refuseHalfRestored(backends.store);
  const { services, close } = createServices(settings, {
    ...backends,
    ...outbound,
    secretBox,
    tracing,
    log,
  });
  await ensureFirstAccount(backends.store, settings, { folder });

  const options = { ...hostSettings(settings, { metricsFrom: 'loopback' }), opened, services };
  const host = createHost(options, { ...backends, tracing, log });
  await host.start();
  telemetry?.exportMetrics(host.metrics);
  process.stdout.write(`SvcForms is ready at ${publicOrigin(settings)}\n`);
  return {
    async stop() {
      await host.stop();
      await telemetry?.close();
      close();
      await backends.close();
    },
  };
});
