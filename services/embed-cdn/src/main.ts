import { runService } from '@svcforms/service-runner';
import { join } from 'node:path';
import { createEmbedCdn } from './service.ts';

// The build puts the scripts beside the program.
runService(
  'embed-cdn',
  [],
  ({ store, announcements }) =>
    createEmbedCdn({ scriptsFolder: join(__dirname, 'embed') }, { store, bus: announcements }),
  { readOnly: true, announces: true },
);
