import { readSettings, SettingsError, type Settings } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { connectMongoStore } from '@svcforms/document-store/mongo';
import { exitCodeOf, lineOf, readEncryptionKeys } from '@svcforms/http-kit';
import { createSecretBox } from '@svcforms/signing';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commands, UsageError } from './admin-commands.ts';

const USAGE = `Usage: npm run admin -- COMMAND

  account create --name NAME [--plan free|starter|pro|business]
  account list
  account set-plan ACCOUNT PLAN
  user create --email EMAIL --name NAME [--role owner|admin|reviewer] [--password PASSWORD] [--account ACCOUNT]
  key create --name NAME [--scopes a,b] [--expires TIME] [--account ACCOUNT]
  secrets reseal

It works on the store that the environment names (MONGODB_URL), else on the embedded one under SVC_DATA_DIR. --account may be
left out while there is just one.
`;

/** The store that a running product uses, without taking it away from it. */
async function openStore(settings: Settings): Promise<{ store: DocumentStore; close(): Promise<void> }> {
  if (settings.MONGODB_URL) {
    const store = await connectMongoStore({ url: settings.MONGODB_URL });
    return { store, close: () => store.close() };
  }
  const path = join(resolve(settings.SVC_DATA_DIR), 'svcforms.db');
  if (!existsSync(path))
    throw new SettingsError(
      `${path} is not there: start the product once, or set SVC_DATA_DIR or MONGODB_URL`,
    );
  // Only now: the images of the services are made without SQLite.
  const { createEmbeddedStore, openEmbeddedDatabase } = await import('@svcforms/document-store/embedded');
  const database = openEmbeddedDatabase(path, { shared: true });
  const store = createEmbeddedStore(database);
  return {
    store,
    async close() {
      await store.close();
      await database.close();
    },
  };
}

/** Those that the product seals with: given, or made by the standalone at its first start. */
function keysOf(settings: Settings): string[] {
  const path = join(resolve(settings.SVC_DATA_DIR), 'encryption.key');
  const keys =
    readEncryptionKeys(settings) ?? readEncryptionKeys({ ...settings, SVC_ENCRYPTION_KEY_FILE: path });
  if (!keys) throw new SettingsError(`${path} holds no key`);
  return keys;
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        plan: { type: 'string' },
        email: { type: 'string' },
        role: { type: 'string' },
        password: { type: 'string' },
        account: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(lineOf(error));
  }
}

async function main(): Promise<void> {
  const { positionals, values } = readArguments();
  const command = commands[positionals.slice(0, 2).join(' ')];
  if (!command) throw new UsageError(`There is no command "${positionals.join(' ')}"`);
  const settings = readSettings(process.env);
  const opened = await openStore(settings);
  try {
    const deps = { store: opened.store, secretBox: () => createSecretBox(keysOf(settings)), now: Date.now };
    for (const line of await command(deps, values, positionals.slice(2))) process.stdout.write(`${line}\n`);
  } finally {
    await opened.close();
  }
}

main().catch((error: unknown) => {
  const usage = (error as Error).name === 'UsageError' ? `\n${USAGE}` : '';
  process.stderr.write(`admin: ${lineOf(error)}\n${usage}`);
  process.exitCode = exitCodeOf(error);
});
