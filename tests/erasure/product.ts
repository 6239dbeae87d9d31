import {
  atEnd,
  createClient,
  newApiKey,
  readEvents,
  runToEnd,
  sharedMongo,
  startNats,
  startProcess,
  tempFolder,
  testSettings,
  type EventReader,
} from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Backends = Record<string, string>;

/** Starts a NATS server with a new database next to it. */
export async function startBackends(): Promise<Backends> {
  const nats = await startNats();
  atEnd(() => nats.remove());
  return { NATS_URL: nats.url, MONGODB_URL: `${await sharedMongo()}/erasure_${randomUUID().slice(0, 8)}` };
}

/**
 * Starts the standalone on these backends (embedded without any) and returns it with a client that
 * has every scope.
 */
export async function openProduct(backends: Backends, more: Record<string, string> = {}) {
  const apiKey = newApiKey();
  const folder = tempFolder();
  const env = {
    ...testSettings({ apiKey }),
    SVC_RETRY_SCHEDULE: '3600',
    ...backends,
    SVC_DATA_DIR: folder,
    ...more,
  };
  const product = await startProcess('standalone', { env });
  const client = createClient({ baseUrl: product.url, token: apiKey });

  return {
    product,
    client,
    env,
    folder,
    apiKey,
    /** Runs `npm run admin -- …`; throws if it fails. */
    admin: (...args: string[]) => runAdmin(args, env),
    clientWith: async (scopes: string[]) => {
      const { body } = await client.post<{ key: string }>('/api/keys', {
        body: { name: 'Limited', scopes },
        expect: 201,
      });
      return createClient({ baseUrl: product.url, token: body.data.key });
    },
    /** Creates another account and returns a client with every scope of it. */
    anotherAccount: async () => {
      const [accountId = ''] = (await runAdmin(['account', 'create', '--name', 'Other'], env)).split(' ');
      const created = await runAdmin(['key', 'create', '--name', 'Key', '--account', accountId], env);
      return createClient({ baseUrl: product.url, token: /svc_key_\S+/.exec(created)?.[0] ?? '' });
    },
    /** Reads all events after that position, in one of the formats of the stream. */
    eventsAfter: (lastEventId: string, query = ''): Promise<EventReader> =>
      readEvents(`${product.url}/api/mcp/events/*${query}`, { token: apiKey, lastEventId }),
    /** Names of the files under the data folder that hold the text. */
    filesWith: (text: string) => filesUnder(folder).filter((file) => readFileSync(file).includes(text)),
    mails: () => (existsSync(join(folder, 'mail')) ? readdirSync(join(folder, 'mail')) : []),
  };
}
export type Product = Awaited<ReturnType<typeof openProduct>>;

export async function runAdmin(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runToEnd('admin', { args, env });
  if (code !== 0) throw new Error(`admin ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesUnder(path) : [path];
  });
}
