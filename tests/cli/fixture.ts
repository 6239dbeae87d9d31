import type { AccountWebhookCreatedOut, TaskOut } from '@svcforms/contracts';
import {
  createClient,
  createForm,
  newApiKey,
  startProcess,
  startWebhookEndpoint,
  tempFolder,
  testSettings,
  type ReceivedRequest,
  type WebhookEndpointOptions,
} from '@svcforms/test-kit';
import { Webhook } from 'standardwebhooks';
import { verify } from '../e2e/event.ts';
import { bundleProgram, runProgram, startProgram, type Environment, type Running } from './program.ts';

/** The product, and the command line of a user who has an API key with every scope. */
export async function openFixture() {
  await bundleProgram();
  const apiKey = newApiKey();
  const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: tempFolder() };
  const product = await startProcess('standalone', { env });
  const client = createClient({ baseUrl: product.url, token: apiKey });
  const visitor = createClient({ baseUrl: product.url });
  const form = await createForm(client, { settings: { tasks: { emitSubmissionEvents: true } } });

  /** A user of a computer of their own, with empty folders. */
  const userEnv = (key: string | undefined = apiKey): Environment => ({
    HOME: tempFolder(),
    SVC_BASE_URL: product.url,
    SVC_API_KEY: key,
  });

  return {
    product,
    apiKey,
    client,
    form,
    userEnv,
    keyWith: async (scopes: string[]) => {
      const body = { name: 'Limited', scopes };
      return (await client.post<{ key: string }>('/api/keys', { body, expect: 201 })).body.data.key;
    },
    run: (args: string, env: Environment = userEnv(), input?: string) =>
      runProgram(args.split(' '), env, input),
    /** Submits the form as a visitor and returns the id of the submission. */
    submit: async (message: string, headers: Record<string, string> = {}): Promise<string> => {
      const body = { data: { email: 'ada@example.com', message } };
      const path = `/api/forms/${form.id}/submissions`;
      return (await visitor.post<{ submissionId: string }>(path, { body, headers, expect: 201 })).body.data
        .submissionId;
    },
    createTask: async (title: string) => {
      const body = { templateId: form.id, title, prefill: { email: 'ada@example.com' } };
      return (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body.data;
    },
    addAccountWebhook: async (url: string, events: readonly string[]) => {
      const body = { url, events };
      return (await client.post<AccountWebhookCreatedOut>('/api/webhooks', { body, expect: 201 })).body.data;
    },
    endpoint: (respond?: WebhookEndpointOptions['respond']) =>
      startWebhookEndpoint(respond ? { respond } : {}),
    /** Starts `svcforms listen` and waits until it is connected. */
    listen: async (env: Environment, forward: string, more: readonly string[] = []): Promise<Running> => {
      const program = startProgram(['listen', '--json', '--forward', forward, ...more], env);
      await program.waitFor('Ready.');
      return program;
    },
  };
}

export type CliFixture = Awaited<ReturnType<typeof openFixture>>;

export const secretIn = ({ stderr }: Running): string =>
  /^Signing secret: (whsec_\S+)$/m.exec(stderr)?.[1] ?? '';

/** Verifies both signatures as receivers do. */
export function expectSigned(request: ReceivedRequest, secret: string): void {
  const { headers, rawBody } = request;
  expect(new Webhook(secret).verify(rawBody, headers as Record<string, string>)).toEqual(
    JSON.parse(rawBody.toString()),
  );
  expect(verify(request, secret)).toEqual({ svcSignature: 'ok', standardWebhooks: 'ok' });
}

export const submissionIdOf = ({ rawBody }: ReceivedRequest): string =>
  (JSON.parse(rawBody.toString()) as { submissionId: string }).submissionId;
