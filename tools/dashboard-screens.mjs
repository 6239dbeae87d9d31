// The dashboard's part of npm run screenshots: what there is to see, and where.
import { createServer } from 'node:http';
import { post, until } from './product.mjs';

/** Settings of the product: it may call the listener of `furnish`, and gives a webhook up that fails for some seconds. */
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
const formPath = (id, part = '') => `/forms/${id}${part}`;

/** Each address is that of a screen; its heading says that it is there. `at`: what to scroll to. `ready`: what to wait for. */
const SCREENS = [
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
  { name: 'integrations', path: ({ formId }) => formPath(formId, '/integrations'), heading: 'Integrations' },
  { name: 'inbox', path: ({ taskId }) => `/tasks/${taskId}`, heading: 'Refund Ada Lovelace 120 €?' },
  { name: 'you', path: () => '/settings', heading: 'You' },
  { name: 'account', path: () => '/settings/account', heading: 'Account' },
  { name: 'users', path: () => '/settings/users', heading: 'Users' },
  { name: 'keys', path: () => '/settings/keys', heading: 'API keys' },
];

/** As `SCREENS` of screenshots.mjs. What is prepared has `dashboard`, of `furnish`, and the owner who logs in. */
export const DASHBOARD_SCREENS = SCREENS.map(({ name, path, heading, at, ready }) => ({
  name: `dashboard-${name}`,
  show: async (page, { baseUrl, owner, dashboard }) => {
    const isLoggedIn = (await page.context().cookies(baseUrl)).length > 0;
    if (!isLoggedIn) await page.goto(`${baseUrl}/login`);
    if (!isLoggedIn && name !== 'login') {
      const status = await page.evaluate(
        async (login) =>
          (
            await fetch('/api/auth/login', {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(login),
            })
          ).status,
        owner,
      );
      if (status !== 200) throw new Error(`the owner could not log in: ${status}`);
    }
    if (name !== 'login') await page.goto(baseUrl + path(dashboard));
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await until(
      async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0,
      `all of ${name}`,
    );
    await ready?.(page).waitFor();
    if (at) {
      await page.getByRole('heading', { name: at, exact: true }).evaluate((one) => one.scrollIntoView());
      // Not below the bar that stays at the top.
      await page.evaluate(() => window.scrollBy(0, -76));
    }
  },
}));

/** Some weeks of a small business, as far as they can be made in a moment. */
export async function furnish({ baseUrl, apiKey, newsId, contactId }) {
  const api = `${baseUrl}/api`;
  const form = `${api}/forms/${newsId}`;
  const url = await startListener();
  const events = ['form.submission.new', 'submission.created', 'decision.approved'];
  const webhook = await post(`${form}/webhooks`, apiKey, {
    url: `${url}/crm`,
    events,
    description: 'The CRM',
  });
  const disabled = await post(`${form}/webhooks`, apiKey, {
    url: `${url}/old-system`,
    events: ['form.submission.new'],
    description: 'The old system',
  });
  const read = async (path) =>
    (await (await fetch(path, { headers: { authorization: `Bearer ${apiKey}` } })).json()).data;

  const submit = (to, n) => {
    const name = NAMES[n % NAMES.length];
    const email = `${name.toLowerCase()}${n}@example.com`;
    const data = { email, name, often: n % 3 === 0 ? 'week' : 'month', message: 'Hello!' };
    return post(`${api}/forms/${to}/submissions`, apiKey, { data, page: 'https://bakery.example/bread' });
  };
  const { submissionId } = await submit(newsId, 0);
  await until(
    async () => !(await read(`${form}/webhooks/${disabled.id}`)).isEnabled,
    'the failing webhook to be given up',
  );
  for (let n = 1; n < SUBMISSIONS; n++) await submit(newsId, n);
  for (let n = 0; n < 17; n++) await submit(contactId, n);
  const [failed] = await read(`${form}/webhooks/${disabled.id}/deliveries?status=failed`);
  await until(
    async () => (await read(`${form}/webhooks/${webhook.id}/deliveries?status=pending`)).length === 0,
    'the deliveries',
  );

  const inbound = await post(`${form}/inbound`, apiKey, { fieldMapping: { 'E-Mail': 'email' } });
  for (const token of [inbound.token, 'svc_inb_of_yesterday', inbound.token])
    await fetch(`${api}/inbound/${newsId}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ 'E-Mail': 'ada@example.com' }),
    });

  const templateId = (await post(`${api}/forms`, apiKey, { name: 'Refund', fields: REFUND })).id;
  const task = await post(`${api}/mcp/tasks`, apiKey, {
    templateId,
    title: 'Refund Ada Lovelace 120 €?',
    description: 'The parcel was **lost** on its way:\n\n- sent on Monday\n- last seen in Lyon',
    prefill: { email: 'ada@example.com', amount: 120 },
    editableFields: ['amount'],
    rejectOptions: ['Too late', 'Not ours'],
    priority: 'urgent',
  });
  for (const title of ['Publish the spring menu?', 'Answer Grace Hopper?'])
    await post(`${api}/mcp/tasks`, apiKey, { templateId, title });
  const scopes = ['tasks:create', 'tasks:read', 'events:read'];
  await post(`${api}/keys`, apiKey, { name: 'The agent', scopes });
  await post(`${api}/users`, apiKey, {
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
  { name: 'email', type: 'email', label: 'E-mail' },
  { name: 'amount', type: 'number', label: 'Amount, €' },
];

/** Takes what comes to /crm, and nothing else. */
async function startListener() {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/crm') response.writeHead(204).end();
    else response.writeHead(503, { 'content-type': 'text/plain' }).end('upstream is down for maintenance');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}
