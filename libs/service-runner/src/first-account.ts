import type { DocumentStore } from '@svcforms/document-store';
import { bootstrap, firstAccountLines, type FirstAccount } from '@svcforms/identity';
import type { Logger } from '@svcforms/primitives';
import type { Settings } from '@svcforms/runtime';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** In the data folder: the generated credentials of a first start without a terminal. */
const FILE = 'first-login.txt';

/**
 * `folder`: the data folder, for a process that may generate credentials and prints for people.
 * `log`: the log of a service, whose credentials must be configured.
 */
type FirstAccountOptions = { folder: string } | { log: Pick<Logger, 'info'> };

/**
 * Creates the first account in an empty store. Generated credentials, which can't be read again, go
 * to a terminal or to a file that only its owner can read, and never to a log. Call it after the
 * services have declared their collections.
 * @throws SettingsError if credentials aren't configured and may not be generated
 */
export async function ensureFirstAccount(
  store: DocumentStore,
  settings: Settings,
  options: FirstAccountOptions,
): Promise<void> {
  const created = await bootstrap({ store, mayGenerate: 'folder' in options }, settings);
  if (!created) return;
  const text = `Created the first account with the owner ${created.email}.`;
  if ('log' in options) {
    options.log.info({ event: 'account.bootstrapped' }, text);
  } else if (created.password === undefined && created.apiKey === undefined) {
    process.stdout.write(`${text}\n`);
  } else if (process.stdout.isTTY) {
    process.stdout.write(
      `Created the first account. Save these credentials: they are shown only once.\n${firstAccountLines(created)}`,
    );
  } else {
    const path = saveCredentials(options.folder, created);
    process.stdout.write(
      `Created the first account. Its credentials are in ${path}; delete this file when you have saved them.\n`,
    );
  }
}

/** Returns the path of the file. */
function saveCredentials(folder: string, created: FirstAccount): string {
  const path = join(folder, FILE);
  try {
    // A file of an earlier store could have another mode or be a link.
    rmSync(path, { force: true });
    writeFileSync(path, firstAccountLines(created), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const line = `${path} can't be written: ${(error as Error).message}; create another user and key with the admin command`;
    throw Object.assign(new Error(line, { cause: error }), {
      code: (error as NodeJS.ErrnoException).code,
    });
  }
  return path;
}
