import type { FormOut, TaskOut } from '@svcforms/contracts';
import { signInbound } from '@svcforms/signing';
import {
  addWebhook,
  createFormWithWebhook,
  newApiKey,
  poll,
  readEvents,
  sendInbound,
  startWebhookEndpoint,
  testSettings,
  type WebhookEndpoint,
  type OpenedInbound,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { setExpiry } from '../tasks/set-expiry.ts';
import type { Storage, Stack } from './stacks.ts';

export const SECRETS = {
  webhook: 'a secret that is kept sealed',
  inbound: 'a secret of the inbound endpoint',
  callback: 'a secret for callbacks',
};
const EXPIRES_AFTER_MS = 12_000;
const RETRIES = Array.from({ length: 300 }, () => 1).join();

/**
 * The state of a product at the time of the backup, and the webhook endpoint that received its
 * events.
 */
export interface Fixture {
  env: Record<string, string>;
  apiKey: string;
  webhookEndpoint: WebhookEndpoint;
  /** Makes the endpoint accept the requests that it has rejected so far. */
  acceptAll(): void;
  /** Ids of the accepted events on a path, in order. */
  accepted(path: string): string[];
  form: FormOut;
  inbound: OpenedInbound;
  /** The signing secret of the inbound endpoint. */
  inboundSecret: string;
  webhookIds: { prompt: string; late: string };
  /** Ids of the accepted submissions. */
  submissionIds: string[];
  /** Ids of the submissions that this endpoint receives on a path. */
  expectedAt(path: string): string[];
  /** A task that is still pending. */
  task: TaskOut;
  /** A task that its expiry approves soon. */
  expiring: TaskOut;
  /** The position of a stream reader. */
  lastEventId: string | undefined;
}

/** Settings that the original and the restored product share, including the encryption key. */
function sharedSettings(apiKey: string): Record<string, string> {
  return {
    ...testSettings({ apiKey }),
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    SVC_RETRY_SCHEDULE: RETRIES,
    SVC_DELIVERY_TIMEOUT_MS: '2000',
  };
}

/** Returns the id of the submission. */
export async function sendSigned(
  { inbound: client }: Pick<Stack, 'inbound'>,
  { inbound, inboundSecret }: Pick<Fixture, 'inbound' | 'inboundSecret'>,
  message: string,
): Promise<string> {
  const data = { email: 'ada@example.com', message };
  const signed = { 'x-svcforms-signature-256': signInbound(JSON.stringify(data), inboundSecret) };
  const { body } = await sendInbound(client, inbound, data, { headers: signed });
  return body.data.submissionId;
}

/** Starts an endpoint that rejects requests to `/late` until `acceptAll` is called. */
export async function startRefusingEndpoint(): Promise<
  Pick<Fixture, 'webhookEndpoint' | 'acceptAll' | 'accepted'>
> {
  let acceptsAll = false;
  const accepted: { path: string; id: string }[] = [];
  const webhookEndpoint = await startWebhookEndpoint({
    respond({ path, headers }) {
      if (path === '/late' && !acceptsAll) return { status: 500 };
      accepted.push({ path, id: String(headers['svc-event-id']) });
      return {};
    },
  });
  return {
    webhookEndpoint,
    acceptAll: () => void (acceptsAll = true),
    accepted: (path) => accepted.filter((each) => each.path === path).map(({ id }) => id),
  };
}

/**
 * Creates one of everything that a backup must preserve. `start` starts the product with these
 * settings and `storage`.
 */
export async function createFixture(
  storage: Storage,
  start: (env: Record<string, string>, apiKey: string) => Promise<Stack>,
): Promise<{ fixture: Fixture; stack: Stack }> {
  const apiKey = newApiKey();
  const env = sharedSettings(apiKey);
  const { webhookEndpoint, acceptAll, accepted } = await startRefusingEndpoint();
  const stack = await start({ ...env, ...storage }, apiKey);
  const { form, inbound, webhook } = await createFormWithWebhook(
    stack.forms,
    `${webhookEndpoint.url}/prompt`,
    {
      inbound: { secret: SECRETS.inbound },
      secret: SECRETS.webhook,
    },
  );
  const late = await addWebhook(stack.forms, form.id, {
    url: `${webhookEndpoint.url}/late`,
    secret: SECRETS.webhook,
  });
  const reader = await readEvents(`${stack.streamsUrl}/api/mcp/events/hitl.task.*`, { token: apiKey });
  const ask = async (body: object) => {
    const prefill = { email: 'ada@example.com' };
    const input = { templateId: form.id, title: 'Ship it?', prefill, ...body };
    return (await stack.tasks.post<TaskOut>('/api/mcp/tasks', { body: input, expect: 201 })).body.data;
  };
  const task = await ask({
    callbackUrl: `${webhookEndpoint.url}/done`,
    callbackSecret: SECRETS.callback,
    metadata: { run: 7 },
  });
  const expiring = await ask({ onExpiry: 'approve' });
  await reader.waitFor(2, 'the frames of both tasks');

  const inboundSecret = SECRETS.inbound;
  const send = (message: string) => sendSigned(stack, { inbound, inboundSecret }, message);
  const submissionIds = [await send('one'), await send('two'), await send('three')];
  await poll(() => accepted('/prompt').length === 3, { what: 'the first three at the prompt endpoint' });
  await poll(() => webhookEndpoint.requests.filter(({ path }) => path === '/late').length >= 3, {
    what: 'the first attempts at the late endpoint',
  });
  // Accepted and in the event log, but no longer read by the dispatcher.
  if (await stack.stopDelivering()) submissionIds.push(await send('four'));
  // Last, so that the task is still pending when the backup is taken.
  expiring.expiresAt = new Date(Date.now() + EXPIRES_AFTER_MS).toISOString();
  await setExpiry(storage, [expiring.id], expiring.expiresAt);
  return {
    stack,
    fixture: {
      env,
      apiKey,
      webhookEndpoint,
      acceptAll,
      accepted,
      form,
      inbound,
      inboundSecret,
      webhookIds: { prompt: webhook.id, late: late.id },
      submissionIds,
      expectedAt: () => submissionIds,
      task,
      expiring,
      lastEventId: reader.lastEventId(),
    },
  };
}
