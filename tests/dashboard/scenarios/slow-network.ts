import { addWebhook, createForm, createGate, poll } from '@svcforms/test-kit';
import type { FormOut, KeyOut, TaskOut } from '@svcforms/contracts';
import type { Page } from 'playwright-core';
import type { Fixture } from '../support/fixture.ts';
import { loaded } from '../support/screens.ts';

/** Loses the response of the next request with this method, which the server processes. */
async function loseResponse(page: Page, url: RegExp, method: string): Promise<void> {
  let isLost = false;
  await page.route(url, async (route) => {
    if (isLost || route.request().method() !== method) return route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort('failed');
  });
}

/** Holds the requests of this method back until the returned function is called. */
async function hold(page: Page, url: RegExp, method = 'GET'): Promise<() => void> {
  const { open, passed } = createGate();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await passed;
    await route.fallback();
  });
  return open;
}

const outdated = (page: Page) => page.locator('[aria-busy="true"].outdated');

export function slowNetworkScenarios(fixture: () => Fixture): void {
  describe('on a slow network', () => {
    it('the rows of the filter before are dimmed while those of the new one load', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { name: `Slow ${Date.now()}` });
      for (const email of ['ada@example.com', 'grace@example.com'])
        await visitor.post(`/api/forms/${form.id}/submissions`, { body: { data: { email } }, expect: 201 });
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByText('2 submissions').waitFor();
      expect(await outdated(page).count()).toBe(0);
      const respond = await hold(page, /\/submissions\?.*q=ada/);
      await page.getByRole('searchbox').fill('ada');
      await outdated(page).getByRole('cell', { name: 'grace@example.com' }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      expect(await page.getByText('matching').count()).toBe(0);
      respond();
      await page.getByText('1 matching').waitFor();
      expect(await outdated(page).count()).toBe(0);
    });

    it('numbers of the period before are dimmed while those of the new one load', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}`);
      await page.getByRole('group', { name: 'Submissions', exact: true }).waitFor();
      const respond = await hold(page, /\/stats\?/);
      await page.getByText('7 days').click();
      await outdated(page).getByRole('group', { name: 'Submissions', exact: true }).waitFor();
      respond();
      await outdated(page).waitFor({ state: 'detached' });
    });

    it('a list that was empty says nothing about the next search before its response', async () => {
      const { client, open } = fixture();
      const name = `Found late ${Date.now()}`;
      await createForm(client, { name });
      const page = await open('/forms?q=nothing-has-this-name');
      await page.getByText('No forms match “nothing-has-this-name”.').waitFor();
      const respond = await hold(page, /\/api\/forms\?.*q=Found/);
      await page.getByRole('searchbox').fill(name);
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      expect(await page.getByText('No forms match').count()).toBe(0);
      respond();
      await page.getByRole('link', { name }).waitFor();
    });

    it('a webhook without deliveries of a status, or attempts of a period, doesn’t say so of the next one', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: 'https://example.com/hook' });
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}?delivery=held`);
      const empty = page.getByText('No deliveries match these filters.');
      await empty.waitFor();
      const respond = await hold(page, /\/deliveries\?.*status=pending/);
      await page.getByLabel('Status').selectOption('Pending');
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      expect(await empty.count()).toBe(0);
      respond();
      await empty.waitFor();

      const health = page.getByRole('region', { name: 'Health' });
      const noAttempts = health.getByText('No attempts in this period.');
      await noAttempts.waitFor();
      const respondToHealth = await hold(page, /\/health\?days=1/);
      await health.getByText('24 hours').click();
      await health.getByRole('status', { name: 'Loading' }).waitFor();
      expect(await noAttempts.count()).toBe(0);
      respondToHealth();
      await noAttempts.waitFor();
    });

    it('the inbox counts no tasks of the status before', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const prefill = { email: 'ada@example.com' };
      await client.post<TaskOut>('/api/mcp/tasks', { body: { templateId: form.id, prefill }, expect: 201 });
      const page = await open('/tasks');
      const count = page.getByRole('status').filter({ hasText: /^\d+ tasks?$/ });
      await count.waitFor();
      const respond = await hold(page, /\/tasks\?.*status=cancelled/);
      await page.getByLabel('Status').selectOption('Cancelled');
      await outdated(page).getByRole('navigation').waitFor();
      expect(await count.count()).toBe(0);
      respond();
      await count.waitFor();
    });

    it('a row is busy from its deletion to the new list', async () => {
      const { client, open } = fixture();
      const name = `Slow key ${Date.now()}`;
      await client.post<KeyOut>('/api/keys', { body: { name, scopes: ['forms:read'] }, expect: 201 });
      const page = await open('/settings/keys');
      const row = page.getByRole('row', { name });
      const respond = await hold(page, /\/api\/keys\//, 'DELETE');
      await row.getByRole('button').click();
      await page.getByRole('dialog').getByRole('button').last().click();
      await row.locator('button[data-loading]').waitFor();
      respond();
      await row.waitFor({ state: 'detached' });
    });

    it('a session that is being ended can’t be ended again', async () => {
      const { newUser, open, visitor } = fixture();
      const { email, password } = await newUser('reviewer');
      await visitor.post('/api/auth/login', { body: { email, password }, expect: 200 });
      const page = await open('/settings/sessions', { as: { email, password } });
      const end = page.getByRole('button', { name: /^Log out of (?!all)/ });
      await end.waitFor();
      const respond = await hold(page, /\/api\/auth\/sessions\//, 'DELETE');
      await end.click();
      await page.locator('button[data-loading]').waitFor();
      expect(await end.isDisabled()).toBe(true);
      respond();
      await end.waitFor({ state: 'detached' });
    });

    it('the menu of a form is busy until the form is duplicated', async () => {
      const { client, open } = fixture();
      const name = `Slow copy ${Date.now()}`;
      await createForm(client, { name });
      const page = await open('/forms');
      const menu = page.getByRole('button', { name: `Actions for ${name}`, exact: true });
      const respond = await hold(page, /\/duplicate\?/, 'POST');
      await menu.click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page.locator('button[aria-busy="true"]').waitFor();
      await menu.click();
      expect(await page.getByRole('menuitem').count()).toBe(0);
      respond();
      await page.getByText(`“${name} (copy)” created as a draft.`).waitFor();
      await page.locator('button[aria-busy="true"]').waitFor({ state: 'detached' });
      expect(await page.getByRole('menuitem').count()).toBe(0);
    });

    it('says that the browser is offline, and loads what was missing when it is back', async () => {
      const { open } = fixture();
      const page = await open('/settings/users', { expected: /ERR_INTERNET_DISCONNECTED|offline/ });
      await page.getByRole('link', { name: 'Groups' }).hover();
      await page.getByRole('heading', { name: 'Team' }).waitFor();
      await page.waitForLoadState('networkidle');
      await page.context().setOffline(true);
      const notice = page.getByText('You’re offline, so this page may be outdated');
      await notice.waitFor();
      await page.getByRole('link', { name: 'Groups' }).click();
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      expect(await notice.count()).toBe(1);
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'detached' });
      await loaded(page);
    });
  });

  describe('after a lost response', () => {
    const expected = /ERR_FAILED|409/;

    it('a form that is saved and published again is no conflict with itself', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { expected });
      await loseResponse(page, /\?draft=true$/, 'PUT');
      await loseResponse(page, /\/publish$/, 'POST');
      const failure = page.getByText('We can’t reach the server.');
      const label = `Your address ${Date.now()}`;
      await page.getByLabel('Label', { exact: true }).fill(label);
      await page.getByLabel('Help text').fill('Only for your order.');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await failure.waitFor();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Draft saved, not published').waitFor();
      await failure.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await failure.waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes published').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      const { body } = await client.get<FormOut>(`/api/forms/${form.id}`);
      expect([body.data.version, body.data.fields[0]?.label]).toEqual([2, label]);
    });

    it('a form that is edited before it is saved again is no conflict with itself', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { expected });
      const help = page.getByLabel('Help text');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      const failure = page.getByText('We can’t reach the server.');
      await loseResponse(page, /\?draft=true$/, 'PUT');
      await help.fill('Only for your order.');
      await save.click();
      await failure.waitFor();
      await help.fill('Only for your order and its invoice.');
      await save.click();
      await page.getByText('Draft saved, not published').waitFor();

      await loseResponse(page, /\/publish$/, 'POST');
      const publish = page.getByRole('button', { name: 'Publish', exact: true });
      await publish.click();
      await failure.waitFor();
      await help.fill('For your order, its invoice and nothing else.');
      await publish.click();
      await page.getByText('All changes published').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      const { body } = await client.get<FormOut>(`/api/forms/${form.id}`);
      const published = [body.data.version, body.data.fields[0]?.help];
      expect(published).toEqual([3, 'For your order, its invoice and nothing else.']);
    });

    it('a form that somebody else changed meanwhile is still a conflict', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { expected });
      const help = page.getByLabel('Help text');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await loseResponse(page, /\?draft=true$/, 'PUT');
      const lost = 'Only for your order.';
      await help.fill(lost);
      await save.click();
      await page.getByText('We can’t reach the server.').waitFor();
      const { name, fields } = form;
      const theirs = { name, fields: fields.map((field) => ({ ...field, help: 'By somebody else.' })) };
      await client.put(`/api/forms/${form.id}?draft=true`, { body: theirs, expect: 200 });
      await help.fill('Only for your order and its invoice.');
      await save.click();
      await page.getByRole('dialog', { name: 'This form was saved somewhere else' }).waitFor();
      const { body } = await client.get<FormOut>(`/api/forms/${form.id}?draft=true`);
      expect(body.data.fields[0]?.help).toBe('By somebody else.');

      // The lost one is theirs if they go back to it.
      await page.getByRole('button', { name: 'Discard my changes' }).click();
      await poll(async () => (await help.inputValue()) === 'By somebody else.', { what: 'their form' });
      await help.fill('For your invoice.');
      const back = { name, fields: fields.map((field, n) => (n === 0 ? { ...field, help: lost } : field)) };
      await client.put(`/api/forms/${form.id}?draft=true`, { body: back, expect: 200 });
      await save.click();
      await page.getByRole('dialog', { name: 'This form was saved somewhere else' }).waitFor();
    });

    it('a decision that counts isn’t reported as refused', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const title = `Decided ${Date.now()}`;
      const prefill = { email: 'ada@example.com' };
      const body = { templateId: form.id, title, prefill };
      const { data: task } = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body;
      const page = await open(`/tasks/${task.id}?status=any`, { expected });
      await loseResponse(page, /\/decision$/, 'POST');
      await page.getByRole('button', { name: 'Approve' }).click();
      // The decision is sent when it can’t be undone anymore.
      await page.getByRole('link', { name: title }).getByText('Approved').waitFor();
      expect(await page.getByText('wasn’t accepted').count()).toBe(0);
    });

    it('a decision that the browser sends again isn’t reported as refused', async () => {
      const { client, open, newUser } = fixture();
      const form = await createForm(client);
      const body = { templateId: form.id, prefill: { email: 'ada@example.com' } };
      const { data: task } = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body;
      const page = await open(`/tasks/${task.id}`, { as: await newUser('reviewer'), expected });
      // As browsers do when a reused connection breaks before the response.
      await page.route(/\/decision$/, async (route) => {
        await route.fetch();
        await route.fallback();
      });
      const repeated = page.waitForResponse((response) => response.status() === 409);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await repeated;
      // A refused decision would keep the user here.
      await page.waitForURL('**/login');
    });

    it('a vote that counts isn’t reported as refused', async () => {
      const { client, open, newUser } = fixture();
      const form = await createForm(client);
      const [ada, bob] = [await newUser('reviewer'), await newUser('reviewer')];
      const title = `Voted ${Date.now()}`;
      const policy = { approvals: 2, users: [ada.id, bob.id] };
      const body = { templateId: form.id, title, prefill: { email: 'ada@example.com' }, policy };
      const { data: task } = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body;
      const page = await open(`/tasks/${task.id}`, { as: ada, expected });
      await loseResponse(page, /\/decision$/, 'POST');
      await page.getByLabel('Comment').fill('Fine');
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('link', { name: title }).click();
      const votes = page.getByRole('region', { name: 'Votes' });
      await votes.getByText('1 of 2 approvals').waitFor();
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      // A refused decision would bring it back.
      expect(await page.getByLabel('Comment').inputValue()).toBe('');
      expect(await page.getByText('wasn’t accepted').count()).toBe(0);
    });

    it('says that it can’t confirm a decision if the task can’t be read, and shows that it counts', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const title = `Unconfirmed ${Date.now()}`;
      const body = { templateId: form.id, title, prefill: { email: 'ada@example.com' } };
      const { data: task } = (await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 })).body;
      const page = await open(`/tasks/${task.id}?status=any`, { expected });
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      const isTask = (url: URL) => url.pathname === `/api/mcp/tasks/${task.id}`;
      await page.route(isTask, (route) => route.abort('failed'));
      await loseResponse(page, /\/decision$/, 'POST');
      await page.getByRole('button', { name: 'Approve' }).click();
      const toast = page.getByRole('alert').filter({ hasText: 'We couldn’t confirm your decision' });
      await toast.waitFor();
      expect(await page.getByText('wasn’t accepted').count()).toBe(0);
      await page.unroute(isTask);
      await toast.getByRole('button', { name: 'Open task' }).click();
      await page.getByText('Resolved by: you').waitFor();
      expect(await page.getByText('Someone else resolved this task').count()).toBe(0);
    });
  });
}
