import { readSettings } from '@svcforms/runtime';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { createHost, hostSettings } from '@svcforms/http';
import { createLogger, requireBackends, runProcess } from '@svcforms/runtime';
import { join } from 'node:path';
import { createEmbedCdn } from './service.ts';

runProcess('embed-cdn', async () => {
  const settings = readSettings(process.env);
  const { mongoUrl } = requireBackends(settings);
  const log = createLogger({ name: 'embed-cdn', level: settings.LOG_LEVEL, to: 1 });
  const store = await connectMongoStore({ url: mongoUrl });
  // The build puts the scripts beside the program.
  const service = createEmbedCdn({ scriptsFolder: join(__dirname, 'embed') }, { store });

  const host = createHost({ ...hostSettings(settings), services: [service] }, { store, log });
  await host.start();
  return {
    async stop() {
      await host.stop();
      await store.close();
    },
  };
});
