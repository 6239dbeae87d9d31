import { createClient, poll } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { post } from '../lib/api.ts';
import { serve } from '../lib/http-load.ts';
import type { FilledAccount, Prepared, Screen } from './screen.ts';

/**
 * Settings of the product: it may send to the endpoint of `fillAccount`, and disables a webhook
 * that fails for some seconds.
 */
export const DASHBOARD_ENV = {
  SVC_ALLOWED_TARGETS: '127.0.0.0/8',
  SVC_ALLOW_HTTP: 'true',
  SVC_RETRY_SCHEDULE: '0.2,0.2',
  SVC_DISABLE_AFTER: '1',
  SVC_DISABLE_MIN_FAILURES: '3',
  SVC_RATE_LIMIT_PUBLIC: '0',
  SVC_RATE_LIMIT_KEY: '0',
};

const NAMES = ['Ada', 'Grace', 'Katherine', 'Annie', 'Dorothy', 'Mary', 'Hedy', 'Joan', 'Radia', 'Barbara'];
const SUBMISSIONS = 96;
const formPath = (id: string, part = '') => `/forms/${id}${part}`;

interface DashboardScreen {
  name: string;
  path: (ids: FilledAccount) => string;
  /** Visible once the screen is. */
  heading: string;
  /** The heading to scroll to. */
  at?: string;
  /** Visible once the screen is complete. */
  ready?: (page: Page) => { waitFor(): Promise<void> };
}

const SCREENS: readonly DashboardScreen[] = [
  { name: 'login', path: () => '/login', heading: 'Log in' },
  { name: 'forms', path: () => '/forms', heading: 'Forms' },
  { name: 'overview', path: ({ formId }) => formPath(formId), heading: 'Overview' },
  {
    name: 'build',
    path: ({ buildId }) => formPath(buildId, '/build'),
    heading: 'Build',
    ready: (page) =>
      page.frameLocator('iframe[title="Preview of the form"]').getByRole('button', { name: 'Send' }),
  },
  { name: 'display', path: ({ formId }) => formPath(formId, '/display'), heading: 'Display' },
  {
    name: 'display-why',
    path: ({ formId }) => formPath(formId, '/display'),
    heading: 'Display',
    at: 'Why didn’t it show?',
  },
  { name: 'share', path: ({ formId }) => formPath(formId, '/share'), heading: 'Share' },
  { name: 'submissions', path: ({ formId }) => formPath(formId, '/submissions'), heading: 'Submissions' },
  {
    name: 'submission',
    path: ({ formId, submissionId }) => formPath(formId, `/submissions/${submissionId}`),
    heading: 'Submission',
  },
  { name: 'webhooks', path: ({ formId }) => formPath(formId, '/webhooks'), heading: 'Webhooks' },
  {
    name: 'webhook',
    path: ({ formId, webhookId }) => formPath(formId, `/webhooks/${webhookId}`),
    heading: 'Webhook',
  },
  {
    name: 'webhook-deliveries',
    path: ({ formId, webhookId }) => formPath(formId, `/webhooks/${webhookId}`),
    heading: 'Webhook',
    at: 'Deliveries',
  },
  {
    name: 'webhook-disabled',
    path: ({ formId, disabledId }) => formPath(formId, `/webhooks/${disabledId}`),
    heading: 'Webhook',
  },
  {
    name: 'delivery',
    path: ({ formId, disabledId, deliveryId }) =>
      formPath(formId, `/webhooks/${disabledId}/deliveries/${deliveryId}`),
    heading: 'Delivery',
  },
  { name: 'integrations', path: ({ formId }) => formPath(formId, '/integrations'), heading: 'Inbound' },
  { name: 'inbox', path: ({ taskId }) => `/tasks/${taskId}`, heading: 'Refund Ada Lovelace 120 €?' },
  { name: 'you', path: () => '/settings', heading: 'Profile' },
  { name: 'account', path: () => '/settings/account', heading: 'Account' },
  { name: 'users', path: () => '/settings/users', heading: 'Team' },
  { name: 'keys', path: () => '/settings/keys', heading: 'API keys' },
];

export const DASHBOARD_SCREENS: readonly Screen[] = SCREENS.map(({ name, path, heading, at, ready }) => ({
  name: `dashboard-${name}`,
  show: async (page, { baseUrl, owner, dashboard }) => {
    const isLoggedIn = (await page.context().cookies(baseUrl)).length > 0;
    if (!isLoggedIn) await page.goto(`${baseUrl}/login`);
    if (!isLoggedIn && name !== 'login') await logIn(page, owner);
    if (name !== 'login') await page.goto(baseUrl + path(dashboard));
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await poll(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, {
      what: `everything on ${name}`,
    });
    await ready?.(page).waitFor();
    if (at) {
      await page.getByRole('heading', { name: at, exact: true }).evaluate((one) => one.scrollIntoView());
      // Below the bar that stays at the top.
      await page.evaluate(() => window.scrollBy(0, -76));
    }
  },
}));

async function logIn(page: Page, owner: Prepared['owner']): Promise<void> {
  const status = await page.evaluate(async (login) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('/api/auth/login', { method: 'POST', headers, body: JSON.stringify(login) });
    return response.status;
  }, owner);
  if (status !== 200) throw new Error(`the login of the owner returned ${status}`);
}

/** Creates what a small business has after some weeks, as far as that is possible in a moment. */
export async function fillAccount({
  baseUrl,
  apiKey,
  newsId,
  contactId,
}: {
  baseUrl: string;
  apiKey: string;
  newsId: string;
  contactId: string;
}): Promise<FilledAccount> {
  const create = <T = { id: string }>(path: string, body: object, token = apiKey) =>
    post<T>(baseUrl, token, path, body);
  const client = createClient({ baseUrl, token: apiKey });
  const read = async <T>(path: string) => (await client.get<T>(path, { expect: 200 })).body.data;

  const form = `/api/forms/${newsId}`;
  const url = await startEndpoint();
  const events = ['form.submission.new', 'submission.created', 'decision.approved'];
  const webhook = await create(`${form}/webhooks`, {
    url: `${url}/crm`,
    events,
    description: 'The CRM',
  });
  const disabled = await create(`${form}/webhooks`, {
    url: `${url}/old-system`,
    events: ['form.submission.new'],
    description: 'The old system',
  });

  const submit = (to: string, n: number) => {
    const name = NAMES[n % NAMES.length] ?? '';
    const email = `${name.toLowerCase()}${n}@example.com`;
    const data = { email, name, often: n % 3 === 0 ? 'week' : 'month', message: 'Hello!' };
    const page = 'https://bakery.example/bread';
    return create<{ submissionId: string }>(`/api/forms/${to}/submissions`, { data, page });
  };
  const { submissionId } = await submit(newsId, 0);
  await poll(async () => !(await read<{ isEnabled: boolean }>(`${form}/webhooks/${disabled.id}`)).isEnabled, {
    what: 'the failing webhook to be disabled',
    timeoutMs: 60_000,
  });
  for (let n = 1; n < SUBMISSIONS; n++) await submit(newsId, n);
  for (let n = 0; n < 17; n++) await submit(contactId, n);
  const deliveries = (webhookId: string, status: string) =>
    read<{ id: string }[]>(`${form}/webhooks/${webhookId}/deliveries?status=${status}`);
  const [failed] = await deliveries(disabled.id, 'failed');
  if (!failed) throw new Error('the failing webhook has no failed delivery');
  await poll(async () => (await deliveries(webhook.id, 'pending')).length === 0, {
    what: 'the deliveries',
    timeoutMs: 60_000,
  });

  const { token } = await create<{ token: string }>(`${form}/inbound`, {
    fieldMapping: { 'E-Mail': 'email' },
  });
  for (const each of [token, 'svc_inb_of_yesterday', token]) {
    const sender = createClient({ baseUrl, token: each });
    await sender.post(`/api/inbound/${newsId}`, { body: { 'E-Mail': 'ada@example.com' } });
  }

  const templateId = (await create('/api/forms', { name: 'Refund', fields: REFUND })).id;
  const task = await create('/api/mcp/tasks', {
    templateId,
    title: 'Refund Ada Lovelace 120 €?',
    description: 'The parcel was **lost** on its way:\n\n- sent on Monday\n- last seen in Lyon',
    prefill: { email: 'ada@example.com', amount: 120 },
    editableFields: ['amount'],
    rejectOptions: ['Too late', 'Not ours'],
    priority: 'urgent',
  });
  for (const title of ['Publish the spring menu?', 'Answer Grace Hopper?'])
    await create('/api/mcp/tasks', { templateId, title });
  const scopes = ['forms:read', 'tasks:create', 'tasks:read', 'events:read'];
  await create('/api/keys', { name: 'The agent', scopes });
  await create('/api/users', {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    role: 'reviewer',
    password: 'a password for pictures',
  });
  return {
    formId: newsId,
    buildId: contactId,
    submissionId,
    webhookId: webhook.id,
    disabledId: disabled.id,
    deliveryId: failed.id,
    taskId: task.id,
  };
}

const REFUND = [
  { name: 'email', type: 'email', label: 'Email' },
  { name: 'amount', type: 'number', label: 'Amount, €' },
];

/** Accepts webhooks at /crm and refuses all others. */
function startEndpoint(): Promise<string> {
  return serve((request, response) => {
    request.resume();
    if (request.url === '/crm') response.writeHead(204).end();
    else response.writeHead(503, { 'content-type': 'text/plain' }).end('upstream is down for maintenance');
  });
}
