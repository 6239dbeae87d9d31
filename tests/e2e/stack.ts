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

/** A running product, however it is put together. */
export interface Stack {
  /** Where it is reached. */
  baseUrl: string;
  /** Of its first account, with every scope. */
  apiKey: string;
  /** How a endpoint must be started so that the product reaches and trusts it. */
  webhookEndpointOptions: Required<Pick<WebhookEndpointOptions, 'tls' | 'host' | 'publicHost'>>;
  /** Where it sends its mails. */
  mailServer: MailServer;
  /** Runs the operator's command; gives what it prints. Throws when it fails. */
  admin: (...args: string[]) => Promise<string>;
  stop(): Promise<void>;
}

/** What the scenarios of the main job are given. */
export interface Product {
  baseUrl: string;
  /** Of the first account. */
  apiKey: string;
  /** Calls with the key of the first account. */
  client: Client;
  /** Calls without any credentials. */
  visitor: Client;
  /** Starts an HTTPS endpoint that the product reaches. */
  startEndpoint: (respond?: WebhookEndpointOptions['respond']) => Promise<WebhookEndpoint>;
  /** The same without TLS. */
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

/** Calls with the new key of another account. */
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
 * What all stacks are set to, so that the scenarios don't take minutes: two retries, the first of which is more than a second
 * after the failure whatever the jitter; and a webhook is disabled as soon as a second delivery has failed, too.
 */
export const SCENARIO_SETTINGS = {
  SVC_RETRY_SCHEDULE: '1.3,1.3',
  SVC_DISABLE_AFTER: '1.5',
  SVC_DISABLE_MIN_FAILURES: '4',
};

/** The standalone on the engines that `engines` names (`NATS_URL`, `MONGODB_URL`); embedded without. */
export async function startStandalone(backends: Readonly<Record<string, string>> = {}): Promise<Stack> {
  const apiKey = newApiKey();
  const { key, cert, caFile } = await testCertificate(['127.0.0.1']);
  const mailServer = await startMailServer();
  const env = {
    ...testSettings({ apiKey, caFile }),
    SMTP_URL: mailServer.url,
    ...SCENARIO_SETTINGS,
    ...backends,
    SVC_DATA_DIR: tempFolder(),
  };
  const product = await startProcess('standalone', { env });
  atEnd(() => {
    // What a failed scenario can't tell: the product's own words.
    if (product.output().includes('"level":50')) process.stderr.write(product.output());
  });
  return {
    baseUrl: product.url,
    apiKey,
    webhookEndpointOptions: { tls: { key, cert }, host: '127.0.0.1', publicHost: '127.0.0.1' },
    mailServer,
    async admin(...args) {
      const { code, stdout, stderr } = await runToEnd('admin', { args, env });
      if (code !== 0) throw new Error(`admin ${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout;
    },
    async stop() {
      const code = await product.stop();
      if (code !== 0) throw new Error(`the standalone ended with ${code}:\n${product.output()}`);
    },
  };
}
