import { dropCaches, type DocumentStore } from '@svcforms/document-store';
import type { EventBus } from '@svcforms/event-bus';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { connectNatsBus } from '@svcforms/event-bus/nats';
import {
  errorLine,
  exitCodeOf,
  readEncryptionKeys,
  readSettings,
  SettingsError,
  type Settings,
} from '@svcforms/runtime';
import { createPasswordHasher } from '@svcforms/identity';
import { connectStore, createCloser } from '@svcforms/service-runner';
import { createSecretBox } from '@svcforms/signing';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commands, UsageError } from './admin-commands.ts';
import { dataFolder } from './embedded-files.ts';
import { readPassword } from './read-password.ts';

const USAGE = `Usage: npm run admin -- COMMAND

  account create --name NAME [--plan free|starter|pro|business]
  account list
  account set-plan ACCOUNT PLAN
  account delete ACCOUNT --yes ACCOUNT   deletes it with all its data
  user create --email EMAIL --name NAME [--role owner|admin|reviewer] [--password-stdin] [--account ACCOUNT]
                  asks for the password at a terminal; generates one without a terminal or input
  key create --name NAME [--scopes a,b] [--expires TIME] [--account ACCOUNT]
  secrets reseal
  indexes ensure                   creates the indexes of an upgrade in advance
  events republish --since TIME    publishes events again that NATS lost; no webhook receives them twice
  dump FILE       writes all data to a new file (- is standard output); the product may be running
  restore FILE [--erasures FILE]   restores a dump (- is standard input) into an empty store, before the product first starts
                  on it; leaves out what a later dump or export lists as erased
  erasures export FILE             writes the ids of erased data, for restore

The commands use the store that the environment names (MONGODB_URL), or else the embedded one in SVC_DATA_DIR. --account is
optional while there is only one account.
`;

/** The store of a product, and its bus when a command asks for it. */
interface Opened {
  store: DocumentStore;
  bus: () => Promise<EventBus>;
  /** Makes running processes read again what the command has changed. */
  announceChanges: () => Promise<void>;
  close: () => Promise<void>;
}

/**
 * Opens the backends of a running product, which keeps using them. `fresh`: opens those of a product that hasn't started yet,
 * for this process alone.
 */
async function openBackends(settings: Settings, { fresh }: { fresh: boolean }): Promise<Opened> {
  const { MONGODB_URL: mongoUrl, NATS_URL: natsUrl, SVC_STREAM_MAX_BYTES: maxBytes } = settings;
  const closer = createCloser();

  async function openFile() {
    const folder = fresh ? dataFolder(settings) : resolve(settings.SVC_DATA_DIR);
    const path = join(folder, 'svcforms.db');
    if (!fresh && !existsSync(path)) {
      throw new SettingsError(
        `${path} does not exist: start the product once, or set SVC_DATA_DIR or MONGODB_URL`,
      );
    }
    // Imported here, because the images of the services have no SQLite.
    const { createEmbeddedStore, openEmbeddedDatabase } = await import('@svcforms/document-store/embedded');
    return { createEmbeddedStore, database: closer.add(openEmbeddedDatabase(path, { shared: !fresh })) };
  }
  let file: ReturnType<typeof openFile> | undefined;
  const embedded = () => (file ??= openFile());

  async function openStore(): Promise<DocumentStore> {
    if (mongoUrl) return connectStore(mongoUrl);
    const { createEmbeddedStore, database } = await embedded();
    return createEmbeddedStore(database);
  }

  async function openBus(): Promise<EventBus> {
    // A size would also resize the stream of a running product.
    const size = fresh ? { maxBytes } : {};
    if (natsUrl) return closer.add(await connectNatsBus({ url: natsUrl, name: 'admin', ...size }));
    return closer.add(createEmbeddedBus((await embedded()).database));
  }
  let opened: Promise<EventBus> | undefined;
  const bus = () => (opened ??= openBus());

  return {
    store: closer.add(await openStore()),
    bus,
    async announceChanges() {
      // The embedded bus doesn't reach other processes.
      await dropCaches(natsUrl ? await bus().catch(() => undefined) : undefined);
    },
    close: closer.close,
  };
}

/** Reads the encryption keys: from the settings, or from the file that the standalone created at its first start. */
function keysOf(settings: Settings): string[] {
  const path = join(resolve(settings.SVC_DATA_DIR), 'encryption.key');
  const keys =
    readEncryptionKeys(settings) ?? readEncryptionKeys({ ...settings, SVC_ENCRYPTION_KEY_FILE: path });
  if (!keys) throw new SettingsError(`${path} contains no key`);
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
        'password-stdin': { type: 'boolean' },
        account: { type: 'string' },
        scopes: { type: 'string' },
        expires: { type: 'string' },
        since: { type: 'string' },
        yes: { type: 'string' },
        erasures: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(errorLine(error));
  }
}

/** Finds a command of one word or two. */
function commandOf(positionals: readonly string[]) {
  for (const words of [2, 1]) {
    const name = positionals.slice(0, words).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return { command, name, operands: positionals.slice(words) };
  }
  throw new UsageError(`There is no command "${positionals.join(' ')}"`);
}

async function main(): Promise<void> {
  const { positionals, values } = readArguments();
  const { command, name, operands } = commandOf(positionals);
  const settings = readSettings(process.env);
  const { close, ...backends } = await openBackends(settings, { fresh: name === 'restore' });
  try {
    const deps = {
      ...backends,
      secretBox: () => createSecretBox(keysOf(settings)),
      readPassword,
      passwords: createPasswordHasher(),
      now: Date.now,
    };
    const { 'password-stdin': fromStdin, ...texts } = values;
    const options = { ...texts, ...(fromStdin ? { 'password-stdin': 'true' } : {}) };
    const lines = await command(deps, options, operands);
    // Standard output is the dump then.
    const output = name === 'dump' && operands[0] === '-' ? process.stderr : process.stdout;
    for (const line of lines) output.write(`${line}\n`);
  } finally {
    await close();
  }
}

main().catch((error: unknown) => {
  const usage = (error as Error).name === 'UsageError' ? `\n${USAGE}` : '';
  process.stderr.write(`admin: ${errorLine(error)}\n${usage}`);
  process.exitCode = exitCodeOf(error);
});
