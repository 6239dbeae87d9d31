// The dashboard's part of npm run screenshots: what there is to see, and where.
import { createServer } from 'node:http';
import { post, until } from './product.mjs';

/** Settings of the product: it may call the listener of `furnish`. */
export const DASHBOARD_ENV = { SVC_ALLOWED_TARGETS: '127.0.0.0/8', SVC_ALLOW_HTTP: 'true' };

/** Each address is that of a screen; its heading says that it is there. */
const SCREENS = [
  { name: 'login', path: () => '/login', heading: 'Log in' },
  { name: 'forms', path: () => '/forms', heading: 'Forms' },
  { name: 'overview', path: ({ formId }) => `/forms/${formId}`, heading: 'Overview' },
  { name: 'inbox', path: ({ taskId }) => `/tasks/${taskId}`, heading: 'Refund Ada Lovelace 120 €?' },
  { name: 'users', path: () => '/settings/users', heading: 'Users' },
  { name: 'keys', path: () => '/settings/keys', heading: 'API keys' },
];

/** As `SCREENS` of screenshots.mjs. What is prepared has `dashboard`, of `furnish`, and the owner who logs in. */
export const DASHBOARD_SCREENS = SCREENS.map(({ name, path, heading }) => ({
  name: `dashboard-${name}`,
  show: async (page, { baseUrl, owner, dashboard }) => {
    if (name !== 'login') {
      const answer = await page.request.post(`${baseUrl}/api/auth/login`, { data: owner });
      if (!answer.ok()) throw new Error(`the owner could not log in: ${await answer.text()}`);
    }
    await page.goto(baseUrl + path(dashboard));
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await until(
      async () => (await page.getByRole('status', { name: 'Loading' }).count()) === 0,
      `all of ${name}`,
    );
  },
}));

/** Some weeks of a small business, as far as they can be made in a moment. */
export async function furnish({ baseUrl, apiKey, formId }) {
  const api = `${baseUrl}/api`;
  const form = `${api}/forms/${formId}`;
  const url = await startListener();
  const events = ['form.submission.new', 'submission.created', 'decision.approved'];
  await post(`${form}/webhooks`, apiKey, { url: `${url}/crm`, events, description: 'The CRM' });
  await post(`${form}/webhooks`, apiKey, {
    url: `${url}/broken`,
    events: ['form.submission.new'],
    description: 'Old system',
  });
  await post(`${form}/inbound`, apiKey, {});
  for (const name of ['Ada', 'Grace', 'Katherine', 'Annie', 'Dorothy']) {
    const email = `${name.toLowerCase()}@example.com`;
    for (const type of ['shown', 'shown', 'converted']) await count(form, type);
    await post(`${form}/submissions`, apiKey, { data: { email, name, often: 'week', message: 'Hello!' } });
  }
  const task = await post(`${api}/mcp/tasks`, apiKey, {
    templateId: formId,
    title: 'Refund Ada Lovelace 120 €?',
    description: 'The parcel was **lost** on its way:\n\n- sent on Monday\n- last seen in Lyon',
    prefill: { email: 'ada@example.com' },
    editableFields: ['email'],
    rejectOptions: ['Too late', 'Not ours'],
    priority: 'urgent',
  });
  for (const title of ['Publish the spring menu?', 'Answer Grace Hopper?']) {
    await post(`${api}/mcp/tasks`, apiKey, { templateId: formId, title });
  }
  const scopes = ['tasks:create', 'tasks:read', 'events:read'];
  await post(`${api}/keys`, apiKey, { name: 'The agent', scopes });
  await post(`${api}/users`, apiKey, {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    role: 'reviewer',
    password: 'a password for pictures',
  });
  return { formId, taskId: task.id };
}

async function count(form, type) {
  await fetch(`${form}/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type }),
  });
}

/** Takes what comes to /crm, and nothing else. */
async function startListener() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/crm' ? 204 : 503).end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${server.address().port}`;
}
