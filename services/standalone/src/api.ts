import { openApi } from '@svcforms/contracts';
import { PARAMETER_KINDS } from '@svcforms/http';
import { createLogger, readSettings } from '@svcforms/runtime';
import { createOutbound } from '@svcforms/service-runner';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBackends } from './backends.ts';
import { createServices } from './services.ts';

/** Prints the OpenAPI document of all services. Its argument is the version of the product. */
async function main(version: string): Promise<void> {
  const settings = readSettings({});
  const folder = mkdtempSync(join(tmpdir(), 'svcforms-api-'));
  const log = createLogger({ name: 'api', level: 'silent', to: 2 });
  const backends = await openBackends(settings, { folder, log });
  const secretBox = createSecretBox([generateEncryptionKey()]);
  const { services, close } = createServices(settings, {
    ...backends,
    ...(await createOutbound(settings)),
    secretBox,
    log,
  });
  const operations = services.flatMap(({ routes }) => routes);
  process.stdout.write(JSON.stringify(openApi({ operations, version, pathIds: PARAMETER_KINDS })));
  close();
  await backends.close();
  rmSync(folder, { recursive: true });
}

void main(process.argv[2] ?? '0');
