import { openApi } from '@svcforms/contracts';
import { readSettings } from '@svcforms/runtime';
import { PARAMETER_KINDS } from '@svcforms/http';
import { createLogger } from '@svcforms/runtime';
import { parsePolicy } from '@svcforms/outbound';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from './engines.ts';
import { createServices } from './services.ts';

/** Prints the OpenAPI document of every call that a service of the product has. Its argument is the product's version. */
async function main(version: string): Promise<void> {
  const settings = readSettings({});
  const folder = mkdtempSync(join(tmpdir(), 'svcforms-api-'));
  const log = createLogger({ name: 'api', level: 'silent', to: 2 });
  const engines = await openEngines(settings, { folder, log });
  const secretBox = createSecretBox([generateEncryptionKey()]);
  const { services, close } = createServices(
    settings,
    { policy: parsePolicy({}), isSoleProcess: true },
    { ...engines, secretBox, log },
  );
  const operations = services.flatMap(({ routes }) => routes);
  process.stdout.write(JSON.stringify(openApi({ operations, version, pathIds: PARAMETER_KINDS })));
  close();
  await engines.close();
  rmSync(folder, { recursive: true });
}

void main(process.argv[2] ?? '0');
