import {
  atEnd,
  createClient,
  newApiKey,
  runToEnd,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testCertificate,
  testSettings,
  type Client,
  type WebhookEndpoint,
  startMailServer,
  type WebhookEndpointOptions,
  type MailServer,
} from '@svcforms/test-kit';
import type { Plan, Scope } from '@svcforms/contracts';

/** A running product in any deployment. */
export interface Stack {
  /** Its base URL. */
  baseUrl: string;
  /** A key of its first account, with every scope. */
  apiKey: string;
  /** Options of a webhook endpoint that the product can reach and trusts. */
  webhookEndpointOptions: Required<Pick<WebhookEndpointOptions, 'tls' | 'host' | 'publicHost'>>;
  /** The SMTP server that it uses. */
  mailServer: MailServer;
  /** Runs the admin command and returns its output. Throws if it fails. */
  admin: (...args: string[]) => Promise<string>;
  stop(): Promise<void>;
}

/** The fixture of the end-to-end scenarios. */
export interface Product {
  baseUrl: string;
  /** An API key of the first account. */
  apiKey: string;
  /** A client with the key of the first account. */
  client: Client;
  /** A client without credentials. */
  visitor: Client;
  /** Starts an HTTPS endpoint that the product can reach. */
  startEndpoint: (respond?: WebhookEndpointOptions['respond']) => Promise<WebhookEndpoint>;
  /** Starts an endpoint without TLS. */
  startPlainEndpoint: () => Promise<WebhookEndpoint>;
  mailServer: MailServer;
  admin: Stack['admin'];
}

export function productOf(stack: Stack): Product {
  const { baseUrl, apiKey, webhookEndpointOptions, mailServer, admin } = stack;
  return {
    baseUrl,
    apiKey,
    client: createClient({ baseUrl, token: apiKey }),
    visitor: createClient({ baseUrl }),
    startEndpoint: (respond) =>
      startWebhookEndpoint({ ...webhookEndpointOptions, ...(respond && { respond }) }),
    startPlainEndpoint: () =>
      startWebhookEndpoint({
        host: webhookEndpointOptions.host,
        publicHost: webhookEndpointOptions.publicHost,
      }),
    mailServer,
    admin,
  };
}

/** Creates another account and returns a client with its key. */
export async function openAccount(
  { baseUrl, admin }: Product,
  { plan = 'business', scopes = ['*'] }: { plan?: Plan; scopes?: readonly Scope[] } = {},
): Promise<{ accountId: string; client: Client }> {
  const [accountId = ''] = (await admin('account', 'create', '--name', 'Another', '--plan', plan)).split(' ');
  const created = await admin(
    'key',
    'create',
    '--name',
    'k',
    '--account',
    accountId,
    '--scopes',
    scopes.join(),
  );
  const [, token] = /^key (\S+)/m.exec(created) ?? [];
  if (!token) throw new Error(`admin printed no key: ${created}`);
  return { accountId, client: createClient({ baseUrl, token }) };
}

/**
 * Settings of all stacks that keep the scenarios short: two retries, the first more than a second
 * after the failure whatever the jitter. A webhook is disabled after its second failed delivery.
 */
export const SCENARIO_SETTINGS = {
  SVC_RETRY_SCHEDULE: '1.3,1.3',
  SVC_DISABLE_AFTER: '1.5',
  SVC_DISABLE_MIN_FAILURES: '4',
};

/** Starts the standalone on `backends` (`NATS_URL`, `MONGODB_URL`), or embedded without them. */
export async function startStandalone(backends: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const apiKey = newApiKey();
  const { key, cert, caFile } = await testCertificate(['127.0.0.1']);
  const mailServer = await startMailServer();
  const env = {
    ...testSettings({ apiKey, caFile }),
    SMTP_URL: mailServer.url,
    ...SCENARIO_SETTINGS,
    SVC_DATA_DIR: tempFolder(),
    ...backends,
  };
  const product = await startProcess('standalone', { env });
  atEnd(() => {
    // A failed scenario needs the log of the product, too.
    if (product.output().includes('"level":"error"')) process.stderr.write(product.output());
  });
  return {
    baseUrl: product.url,
    apiKey,
    webhookEndpointOptions: { tls: { key, cert }, host: '127.0.0.1', publicHost: '127.0.0.1' },
    mailServer,
    async admin(...args) {
      const { code, stdout, stderr } = await runToEnd('admin', { args, env });
      if (code !== 0) throw new Error(`admin ${args.join(' ')} exited with ${code}: ${stderr}`);
      return stdout;
    },
    async stop() {
      const code = await product.stop();
      if (code !== 0) throw new Error(`the standalone exited with ${code}:\n${product.output()}`);
    },
  };
}
