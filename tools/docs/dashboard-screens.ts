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
const PAGES = ['', 'bread', 'bread', 'news/poppy-seeds'];
const SUBMISSIONS = 180;
const formPath = (id: string, part = '') => `/forms/${id}${part}`;

interface DashboardScreen {
  name: string;
  /** Its caption in the contact sheet. */
  title: string;
  path: (ids: FilledAccount) => string;
  /** Visible once the screen is. */
  heading: string | RegExp;
  /** The heading to scroll to. */
  at?: string;
  /** Runs once the screen has loaded. */
  prepare?: (page: Page) => Promise<unknown>;
}

const previewOf = (page: Page, title: string) => page.frameLocator(`iframe[title="${title}"]`);

const SCREENS: readonly DashboardScreen[] = [
  { name: 'login', title: 'Log in', path: () => '/login', heading: 'Log in' },
  { name: 'forms', title: 'Forms', path: () => '/forms', heading: 'Forms' },
  {
    name: 'new-form',
    title: 'New form',
    path: () => '/forms?new=true',
    heading: 'New form',
    prepare: async (page) => {
      await page.getByRole('radio', { name: 'Newsletter' }).check();
      await previewOf(page, 'Preview of the template').getByRole('button').first().waitFor();
    },
  },
  {
    name: 'palette',
    title: 'Command palette',
    path: ({ formId }) => formPath(formId),
    heading: 'Overview',
    prepare: async (page) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('option', { name: 'New form' }).waitFor();
    },
  },
  { name: 'overview', title: 'Overview', path: ({ formId }) => formPath(formId), heading: 'Overview' },
  {
    name: 'overview-responses',
    title: 'Overview, further down',
    path: ({ formId }) => formPath(formId),
    heading: 'Overview',
    at: 'Responses',
  },
  {
    name: 'build',
    title: 'Build',
    path: ({ buildId }) => formPath(buildId, '/build'),
    heading: 'Build',
    prepare: (page) => previewOf(page, 'Preview of the form').getByRole('button', { name: 'Send' }).waitFor(),
  },
  {
    name: 'display',
    title: 'Display',
    path: ({ formId }) => formPath(formId, '/display'),
    heading: 'Display',
  },
  {
    name: 'display-why',
    title: 'Why didn’t it show?',
    path: ({ formId }) => formPath(formId, '/display'),
    heading: 'Display',
    at: 'Why didn’t it show?',
  },
  {
    name: 'languages',
    title: 'Languages',
    path: ({ formId }) => formPath(formId, '/languages'),
    heading: 'Languages',
  },
  {
    name: 'publish',
    title: 'Publish',
    path: ({ formId }) => formPath(formId, '/publish'),
    heading: 'Publish',
  },
  {
    name: 'submissions',
    title: 'Submissions',
    path: ({ formId }) => formPath(formId, '/submissions'),
    heading: 'Submissions',
  },
  {
    name: 'submission',
    title: 'Submission',
    path: ({ formId, submissionId }) => formPath(formId, `/submissions/${submissionId}`),
    heading: 'Submission',
  },
  {
    name: 'webhooks',
    title: 'Webhooks',
    path: ({ formId }) => formPath(formId, '/webhooks'),
    heading: 'Webhooks',
  },
  {
    name: 'webhook',
    title: 'Webhook',
    path: ({ formId, webhookId }) => formPath(formId, `/webhooks/${webhookId}`),
    heading: /\/crm$/,
  },
  {
    name: 'webhook-disabled',
    title: 'Disabled webhook',
    path: ({ formId, disabledId }) => formPath(formId, `/webhooks/${disabledId}`),
    heading: /\/old-system$/,
  },
  {
    name: 'delivery',
    title: 'Delivery',
    path: ({ formId, disabledId, deliveryId }) =>
      formPath(formId, `/webhooks/${disabledId}/deliveries/${deliveryId}`),
    heading: 'Delivery',
  },
  {
    name: 'inbound',
    title: 'Inbound',
    path: ({ formId }) => formPath(formId, '/integrations'),
    heading: 'Inbound',
  },
  {
    name: 'inbound-endpoint',
    title: 'Inbound endpoint',
    path: ({ formId, inboundId }) => formPath(formId, `/integrations/${inboundId}`),
    heading: 'The old newsletter',
  },
  { name: 'share', title: 'Share', path: ({ formId }) => formPath(formId, '/share'), heading: 'Share' },
  {
    name: 'form-settings',
    title: 'Settings of a form',
    path: ({ formId }) => formPath(formId, '/settings'),
    heading: 'Settings',
  },
  {
    name: 'inbox',
    title: 'Inbox',
    path: ({ taskId }) => `/tasks/${taskId}`,
    heading: 'Refund Ada Lovelace 120 €?',
  },
  { name: 'developers', title: 'Developers', path: () => '/developers', heading: 'Developers' },
  { name: 'profile', title: 'Profile', path: () => '/settings', heading: 'Profile' },
  { name: 'account', title: 'Account', path: () => '/settings/account', heading: 'Account' },
  { name: 'team', title: 'Team', path: () => '/settings/users', heading: 'Team' },
  { name: 'groups', title: 'Groups', path: () => '/settings/groups', heading: 'Groups' },
  { name: 'keys', title: 'API keys', path: () => '/settings/keys', heading: 'API keys' },
  {
    name: 'agents',
    title: 'Connected agents',
    path: () => '/settings/agents',
    heading: 'Connected agents',
  },
  {
    name: 'account-webhooks',
    title: 'Webhooks of the account',
    path: () => '/settings/webhooks',
    heading: 'Webhooks',
  },
  { name: 'audit-log', title: 'Audit log', path: () => '/settings/audit-log', heading: 'Audit log' },
  { name: 'sessions', title: 'Sessions', path: () => '/settings/sessions', heading: 'Sessions' },
  { name: 'not-found', title: 'Not found', path: () => '/nowhere', heading: 'Page not found' },
];

export const DASHBOARD_SCREENS: readonly (Screen & { title: string })[] = SCREENS.map(
  ({ name, title, path, heading, at, prepare }) => ({
    name: `dashboard-${name}`,
    title,
    show: async (page, { baseUrl, owner, dashboard }) => {
      const isLoggedIn = (await page.context().cookies(baseUrl)).length > 0;
      if (!isLoggedIn) await page.goto(`${baseUrl}/login`);
      if (!isLoggedIn && name !== 'login') await logIn(page, owner);
      if (name !== 'login') await page.goto(baseUrl + path(dashboard));
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await poll(async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0, {
        what: `everything on ${name}`,
      });
      if (name !== 'login') await page.getByRole('button', { name: 'Your account' }).waitFor();
      await prepare?.(page);
      if (at) {
        await page.getByRole('heading', { name: at, exact: true }).evaluate((one) => one.scrollIntoView());
        // Below the bar that stays at the top.
        await page.evaluate(() => window.scrollBy(0, -76));
      }
    },
  }),
);

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
    const answers = to === newsId ? { often: n % 3 === 0 ? 'week' : 'month' } : { message: 'Hello!' };
    const data = { email, name, ...answers };
    const page = `https://bakery.example/${PAGES[n % PAGES.length] ?? ''}`;
    return create<{ submissionId: string }>(`/api/forms/${to}/submissions`, { data, page });
  };
  await submit(newsId, 0);
  await poll(async () => !(await read<{ isEnabled: boolean }>(`${form}/webhooks/${disabled.id}`)).isEnabled, {
    what: 'the failing webhook to be disabled',
    timeoutMs: 60_000,
  });
  for (let n = 1; n < SUBMISSIONS; n++) await submit(newsId, n);
  // The newest keep their dates, from which the ids of their deliveries are derived.
  const { submissionId } = await submit(newsId, SUBMISSIONS);
  for (let n = 0; n < 17; n++) await submit(contactId, n);
  const deliveries = (webhookId: string, status: string) =>
    read<{ id: string }[]>(`${form}/webhooks/${webhookId}/deliveries?status=${status}`);
  const [failed] = await deliveries(disabled.id, 'failed');
  if (!failed) throw new Error('the failing webhook has no failed delivery');
  await poll(async () => (await deliveries(webhook.id, 'pending')).length === 0, {
    what: 'the deliveries',
    timeoutMs: 60_000,
  });

  const { id: inboundId, token } = await create<{ id: string; token: string }>(`${form}/inbound`, {
    name: 'The old newsletter',
    fieldMapping: { 'E-Mail': 'email' },
  });
  for (const each of [token, 'svc_inb_of_yesterday', token]) {
    const sender = createClient({ baseUrl, token: each });
    await sender.post(`/api/inbound/${newsId}`, { body: { 'E-Mail': 'ada@example.com' } });
  }

  const scopes = ['forms:read', 'tasks:create', 'tasks:read', 'events:read'];
  const agent = await create<{ key: string }>('/api/keys', { name: 'Refund agent', scopes });
  const templateId = (await create('/api/forms', { name: 'Refund', fields: REFUND })).id;
  const task = await create(
    '/api/mcp/tasks',
    {
      templateId,
      title: 'Refund Ada Lovelace 120 €?',
      description: 'The parcel was **lost** on its way:\n\n- sent on Monday\n- last seen in Lyon',
      prefill: { email: 'ada@example.com', amount: 120 },
      editableFields: ['amount'],
      rejectOptions: ['Too late', 'Not ours'],
      priority: 'urgent',
    },
    agent.key,
  );
  for (const title of ['Publish the spring menu?', 'Answer Grace Hopper?'])
    await create('/api/mcp/tasks', { templateId, title }, agent.key);
  const grace = await create('/api/users', {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    role: 'reviewer',
    password: 'a password for pictures',
  });
  const news = await read<{ name: string; fields: object[]; settings: object }>(form);
  await client.put(`${form}?draft=true`, {
    body: { ...news, settings: { ...news.settings, submitLabel: 'Send me news' } },
    expect: 200,
  });
  await create('/api/groups', { name: 'Refunds', members: [grace.id] });
  await create('/api/invitations', { email: 'katherine@example.com', role: 'admin' });
  await create('/api/webhooks', {
    url: `${url}/crm`,
    events: ['decision.requested', 'decision.approved'],
    description: 'Chat of the team',
  });
  return {
    formId: newsId,
    inboundId,
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
