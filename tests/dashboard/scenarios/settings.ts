import type { GroupOut, KeyOut, MeOut, UserOut } from '@svcforms/contracts';
import { addWebhook, createClient, createForm, poll } from '@svcforms/test-kit';
import type { Page } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { OWNER, type Fixture } from '../support/fixture.ts';
import { recordRequests } from '../support/requests.ts';
import { stayAtReload } from '../support/stay-at-reload.ts';

export function settingsScenarios(fixture: () => Fixture): void {
  describe('a table', () => {
    it('gives the focus to the next row when one is deleted, and to the heading after the last one', async () => {
      const { client, open } = fixture();
      const login = await fixture().newUser('admin');
      const { body } = await client.get<GroupOut[]>('/api/groups', { expect: 200 });
      for (const { id } of body.data) await client.delete(`/api/groups/${id}`, { expect: 204 });
      // Listed with the newest first.
      const [third, second, first] = ['Third', 'Second', 'First'] as const;
      for (const name of [third, second, first])
        await client.post('/api/groups', { body: { name, members: [login.id] }, expect: 201 });
      const page = await open('/settings/groups');
      const remove = async (name: string) => {
        await page.getByRole('button', { name: `Delete ${name}` }).press('Enter');
        const question = page.getByRole('dialog', { name: `Delete the group “${name}”?` });
        await question.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
        await page.getByRole('row').filter({ hasText: name }).waitFor({ state: 'detached' });
      };
      const focused = (name: string) => page.getByRole('button', { name }).and(page.locator(':focus'));
      await remove(second);
      await focused(`Delete ${third}`).waitFor();
      await remove(third);
      await focused(`Delete ${first}`).waitFor();
      await remove(first);
      await page.getByRole('heading', { name: 'Groups' }).and(page.locator(':focus')).waitFor();
    });
  });

  describe('API keys', () => {
    it('are created with scopes, shown once, work, and are deleted', async () => {
      const { open, baseUrl } = fixture();
      const name = `The CRM ${Date.now()}`;
      const page = await open('/settings/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('Select at least one scope.').waitFor();
      await dialog.getByLabel('Read forms').check();
      await dialog.getByLabel('Expires').selectOption('In 90 days');
      await dialog.getByRole('button', { name: 'Create key' }).click();

      const shown = page.getByRole('dialog', { name: 'API key created' });
      const key = await shown.getByLabel(`API key “${name}”`, { exact: true }).inputValue();
      const copy = shown.getByRole('button', { name: 'Copy' });
      const before = await copy.boundingBox();
      await copy.click();
      const copied = shown.getByRole('button', { name: `Copied: API key “${name}”` });
      // The button stays where it is under the pointer.
      expect(await copied.boundingBox()).toEqual(before);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
      await page.keyboard.press('Escape');
      expect(await violations(page)).toEqual([]);
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();
      await page.getByRole('button', { name: 'Create key' }).and(page.locator(':focus')).waitFor();

      const client = createClient({ baseUrl, token: key });
      await client.get('/api/forms', { expect: 200 });
      await client.get('/api/keys', { expect: 403 });
      const row = page.getByRole('row').filter({ hasText: name });
      await row.getByText(`svc_key_…${key.slice(-4)}`).waitFor();
      expect(await page.content()).not.toContain(key);
      expect(
        await row
          .getByRole('cell')
          .filter({ hasText: /^Never$/ })
          .count(),
      ).toBe(1);
      await page.reload();
      // The logged-in owner created the key, and the request above used it last.
      await row.getByText('Never', { exact: true }).waitFor({ state: 'detached' });

      await row.getByRole('button', { name: `Delete ${name}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await row.waitFor({ state: 'detached' });
      await client.get('/api/forms', { expect: 401 });
    });

    it('are not lost by the back button or a reload: neither what is entered, nor the key', async () => {
      const name = `Kept ${Date.now()}`;
      const page = await fixture().open('/settings');
      const back = () => page.evaluate(() => history.back());
      await page.getByRole('link', { name: 'API keys' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill(name);
      await back();
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await question.waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await question.waitFor({ state: 'detached' });
      await stayAtReload(page);
      expect(await dialog.getByLabel('Name').inputValue()).toBe(name);
      await dialog.getByLabel('Read forms').check();
      await dialog.getByRole('button', { name: 'Create key' }).click();

      const shown = page.getByRole('dialog', { name: 'API key created' });
      await shown.waitFor();
      await back();
      const leaving = page.getByRole('dialog', { name: 'Leave this page?' });
      await leaving.waitFor();
      expect(await violations(page)).toEqual([]);
      await leaving.getByRole('button', { name: 'Stay on page' }).click();
      await leaving.waitFor({ state: 'detached' });
      await stayAtReload(page);
      expect(await shown.getByRole('textbox').inputValue()).toMatch(/^svc_key_/);
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();

      await page.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByLabel('Name').fill(name);
      await back();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await page.waitForURL('**/settings');
      await dialog.waitFor({ state: 'detached' });
    });

    it('list scopes that break only after a colon, beside a long name', async () => {
      const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
      const body = { name, scopes: ['forms:read', 'submissions:read'] };
      await fixture().client.post('/api/keys', { body, expect: 201 });
      const page = await fixture().open('/settings/keys');
      const scope = page.getByRole('row').filter({ hasText: name }).getByText('submissions:').first();
      // A part that breaks has a box for each line.
      const lines = await scope.evaluate((cell) =>
        [...cell.childNodes]
          .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
          .map((part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return range.getClientRects().length;
          }),
      );
      expect(Math.max(...lines)).toBe(1);
    });

    it('say nothing about a creator that is neither a user nor a key', async () => {
      const page = await fixture().open('/settings/keys');
      await page.getByRole('row').filter({ hasText: 'First key' }).getByText('Full access').waitFor();
      expect(await page.getByText('Unknown').count()).toBe(0);
    });

    it('say that a deletion failed, without a word about input', async () => {
      const name = `Undeletable ${Date.now()}`;
      await fixture().client.post('/api/keys', { body: { name, scopes: ['tasks:read'] }, expect: 201 });
      const page = await fixture().open('/settings/keys', { expected: /ERR_INTERNET/ });
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
      await confirm.waitFor();
      await page.context().setOffline(true);
      await confirm.click();
      await page.getByText('We can’t reach the server. Try again in a moment.', { exact: true }).waitFor();
    });

    it('keep the input when the creation fails', async () => {
      const kept = `Kept ${Date.now()}`;
      const page = await fixture().open('/settings/keys', {
        expected: /Failed to load|ERR_FAILED|ERR_INTERNET/,
      });
      await page.getByRole('button', { name: 'Create key' }).click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill(kept);
      await dialog.getByLabel('Read tasks').check();
      await page.context().setOffline(true);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await dialog.getByText('We can’t reach the server').waitFor();
      await page.context().setOffline(false);
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await page.getByRole('dialog', { name: 'API key created' }).waitFor();
      const { body } = await fixture().client.get<KeyOut[]>('/api/keys', { expect: 200 });
      expect(body.data.filter(({ name }) => name === kept)).toMatchObject([{ scopes: ['tasks:read'] }]);
    });
  });

  describe('users', () => {
    it('are added, log in, get another role, and are deleted; a refusal keeps the input', async () => {
      const { open, client } = fixture();
      const grace = `Grace ${Date.now()}`;
      const login = { email: `grace${Date.now()}@example.com`, password: 'a good password' };
      const page = await open('/settings/users', { expected: /409/ });
      await page.getByRole('button', { name: 'Add user' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add user' });
      await dialog.getByLabel('Name').fill(grace);
      await dialog.getByRole('textbox', { name: 'Email' }).fill(OWNER.email);
      await dialog.getByLabel('Password').first().fill(login.password);
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await dialog.getByText('A user with this email already exists').waitFor();
      expect(await dialog.getByLabel('Name').inputValue()).toBe(grace);
      await dialog.getByRole('textbox', { name: 'Email' }).fill(login.email);
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await dialog.waitFor({ state: 'detached' });

      const hers = await open('/settings', { as: login });
      await hers.getByRole('heading', { name: 'Profile' }).waitFor();
      // The dashboard hides actions that a reviewer may not use.
      expect(await hers.getByRole('link', { name: 'API keys' }).count()).toBe(0);

      await page.getByRole('button', { name: `Edit ${grace}` }).click();
      const edit = page.getByRole('dialog', { name: `Edit ${grace}` });
      await edit.getByLabel('Admin').check();
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: new RegExp(`${grace}.*Admin`) }).waitFor();

      await page.getByRole('button', { name: `Delete ${grace}` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('row').filter({ hasText: grace }).waitFor({ state: 'detached' });
      const { body } = await client.get<UserOut[]>('/api/users', { expect: 200 });
      expect(body.data.filter(({ email }) => email === login.email)).toEqual([]);
    });

    it('keep what somebody else changes while they are edited', async () => {
      const { open, client, newUser } = fixture();
      const { id } = await newUser('reviewer');
      const path = `/api/users/${id}`;
      const before = `Before ${Date.now()}`;
      await client.patch(path, { body: { name: before }, expect: 200 });
      const page = await open('/settings/users');
      await page.getByRole('button', { name: `Edit ${before}` }).click();
      const edit = page.getByRole('dialog', { name: `Edit ${before}` });
      await edit.getByLabel('Name').fill('After');
      await client.patch(path, { body: { role: 'admin' }, expect: 200 });
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.waitFor({ state: 'detached' });
      const { body } = await client.get<UserOut[]>('/api/users?limit=100', { expect: 200 });
      expect(body.data.find((user) => user.id === id)).toMatchObject({ name: 'After', role: 'admin' });
    });

    it("can't delete the last owner; the error shows the request id", async () => {
      const page = await fixture().open('/settings/users', { expected: /409/ });
      await page
        .getByRole('row')
        .filter({ hasText: OWNER.email })
        .getByRole('button', { name: /Delete/ })
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alert').getByText('Request ID').waitFor();
      expect(await violations(page)).toEqual([]);
    });
  });

  describe('the audit log', () => {
    it('names what changed as people know it, links to it, and says each fact once', async () => {
      const { open, client, visitor, startEndpoint, newUser } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client, { name: `Known ${Date.now()}` });
      const webhook = await addWebhook(client, form.id, { url: `${endpoint.url}/orders/new?key=1` });
      const path = `/api/forms/${form.id}/webhooks/${webhook.id}`;
      await client.patch(path, { body: { url: `${endpoint.url}/orders/v2` }, expect: 200 });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      await endpoint.waitFor(1);
      // While it is being sent, a retry changes nothing.
      const deliveryId = await poll(
        async () =>
          (await client.get<{ id: string }[]>(`${path}/deliveries?status=delivered`)).body.data[0]?.id,
        { what: 'the delivery' },
      );
      await client.post(`${path}/deliveries/${deliveryId}/redeliver`, { expect: 202 });
      const task = { templateId: form.id, title: `Refund ${Date.now()}`, prefill: { email: 'a@b.example' } };
      const { body } = await client.post<{ id: string }>('/api/mcp/tasks', { body: task, expect: 201 });
      await client.post(`/api/mcp/tasks/${body.data.id}/cancel`, { expect: 200 });
      const user = await newUser('reviewer');
      await visitor.post('/api/auth/login', {
        body: { email: user.email, password: 'a wrong one' },
        expect: 401,
      });

      const page = await open('/settings');
      const ofWebhooks = recordRequests(page, /\/webhooks\//);
      await page.getByRole('link', { name: 'Audit log' }).click();
      const { host } = new URL(endpoint.url);
      const row = (text: string) => page.getByRole('row').filter({ hasText: text }).first();
      await row('Delivery retried')
        .getByRole('link', { name: `Delivery to ${host}` })
        .waitFor();
      await row('Task cancelled').getByRole('link', { name: task.title }).waitFor();
      await row('Webhook updated').getByText(`Endpoint URL changed, still on ${host}`).waitFor();
      await row('User added').getByText('Password set').waitFor();
      expect(await row('User added').getByText('Password changed').count()).toBe(0);
      const failed = row('Login failed');
      await failed.getByText('127.0.0.1', { exact: true }).waitFor();
      expect(await failed.getByText('Not logged in').count()).toBe(1);
      expect(await violations(page)).toEqual([]);
      expect(ofWebhooks).toEqual([]);
      await row('Webhook updated').getByRole('link', { name: host }).click();
      await page.getByRole('heading', { name: `${host}/orders/v2` }).waitFor();

      await client.delete(path, { expect: 204 });
      await page.goto('/settings/audit-log');
      const end = webhook.id.slice(-4);
      await row('Webhook deleted').getByText(`Webhook …${end}`).waitFor();
      expect(await row('Webhook deleted').getByRole('link').count()).toBe(0);
    });

    it('is filtered by people and things chosen by name, and by ids from links', async () => {
      const { open, client, newUser } = fixture();
      const form = await createForm(client, { name: `Chosen ${Date.now()}` });
      const admin = await newUser('admin');
      await (await open('/settings', { as: admin })).getByRole('heading', { name: 'Profile' }).waitFor();
      const page = await open('/settings/audit-log');
      await page.getByLabel('Actor', { exact: true }).and(page.locator('input')).fill(admin.email);
      await page.getByRole('option', { name: admin.email }).click();
      await poll(() => new URL(page.url()).searchParams.get('actor') === admin.id, { what: 'the filter' });
      await page.getByRole('row').filter({ hasText: 'Login succeeded' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByLabel('Actor', { exact: true }).and(page.locator('input')).click();
      await page.getByRole('option', { name: admin.email }).waitFor();
      await page.keyboard.press('Tab');
      await page
        .locator('input:focus')
        .and(page.getByLabel('Target', { exact: true }))
        .waitFor();

      await page.getByLabel('Target', { exact: true }).and(page.locator('input')).fill(form.name);
      await page.getByRole('option', { name: form.name }).click();
      await page.getByRole('row').filter({ hasText: 'Form created' }).waitFor();
      expect(new URL(page.url()).searchParams.get('target')).toBe(form.id);
      expect(await page.getByRole('row').count()).toBe(2);

      const webhook = await addWebhook(client, form.id, { url: `https://hooks.example/${form.id}` });
      const task = {
        templateId: form.id,
        title: `Chosen task ${Date.now()}`,
        prefill: { email: 'a@b.example' },
      };
      const { body: created } = await client.post<{ id: string }>('/api/mcp/tasks', {
        body: task,
        expect: 201,
      });
      const inbound = { name: `Shop ${Date.now()}` };
      const path = `/api/forms/${form.id}/inbound/endpoints`;
      const endpoint = (await client.post<{ id: string }>(path, { body: inbound, expect: 201 })).body.data;
      await page.reload();
      // The name of the chosen form replaces what is typed before it is known.
      const target = page.getByLabel('Target', { exact: true }).and(page.locator('input'));
      await poll(async () => (await target.inputValue()) === form.name, { what: 'the chosen form' });
      for (const [text, id] of [
        [`hooks.example · ${form.name}`, webhook.id],
        [`${inbound.name} · ${form.name}`, endpoint.id],
        [`${task.title} · ${form.name}`, created.data.id],
      ] as const) {
        await target.fill(text);
        await page.getByRole('option', { name: text }).click();
        await poll(() => new URL(page.url()).searchParams.get('target') === id, { what: text });
      }

      const { body } = await client.post<KeyOut>('/api/keys', {
        body: { name: `Gone ${Date.now()}`, scopes: ['forms:read'] },
        expect: 201,
      });
      await client.delete(`/api/keys/${body.data.id}`, { expect: 204 });
      await page.goto(`/settings/audit-log?target=${body.data.id}`);
      await page.getByRole('row').filter({ hasText: 'API key deleted' }).waitFor();
      await poll(async () => (await target.inputValue()) === body.data.name, { what: 'the name' });
    });

    it('lists changes, and filters them by action, target and day', async () => {
      const { open, client } = fixture();
      const name = `Audited ${Date.now()}`;
      const { body } = await client.post<KeyOut>('/api/keys', {
        body: { name, scopes: ['forms:read'] },
        expect: 201,
      });
      await client.delete(`/api/keys/${body.data.id}`, { expect: 204 });
      const page = await open('/settings');
      await page.getByRole('link', { name: 'Audit log' }).click();
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      const rows = page.getByRole('row').filter({ hasText: name });
      const created = rows.filter({ hasText: 'API key created' });
      await created.getByText('Scopes: forms:read').waitFor();
      const target = created.getByRole('button', { name: `Show only changes to ${name}` });
      expect(await target.getAttribute('title')).toBe(body.data.id);
      await created.getByText('API key · 127.0.0.1').waitFor();
      expect(await rows.count()).toBe(2);
      expect(await violations(page)).toEqual([]);

      await page.getByLabel('Action', { exact: true }).selectOption('API key deleted');
      await created.waitFor({ state: 'detached' });
      await rows.filter({ hasText: 'API key deleted' }).waitFor();
      await page.getByLabel('Action', { exact: true }).selectOption('Any action');
      await target.click();
      await page.waitForURL(/target=key_/);
      const chosen = page.getByLabel('Target', { exact: true }).and(page.locator('input'));
      await poll(async () => (await chosen.inputValue()) === name, { what: 'the name' });
      await created.waitFor();
      expect(await page.getByRole('row').count()).toBe(3);
      await page.getByLabel('To', { exact: true }).fill('2020-01-01');
      await page.getByText('No entries match these filters.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await created.waitFor();
    });

    it('is visible to owners and admins', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings', { as: login });
      await page.getByRole('heading', { name: 'Profile' }).waitFor();
      expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    });
  });

  describe('reauthentication', () => {
    it('asks for the password to create a key after ten minutes, and keeps the input', async () => {
      const login = await fixture().newUser('admin');
      const page = await fixture().open('/settings/keys', { as: login, expected: /403|422/ });
      let isOld = true;
      const refused = {
        status: 403,
        code: 'REAUTHENTICATION_REQUIRED',
        message: 'You logged in more than 10 minutes ago.',
        requestId: 'req-1',
      };
      await page.route('**/api/keys', (route) =>
        isOld && route.request().method() === 'POST'
          ? route.fulfill({ status: 403, json: refused })
          : route.continue(),
      );
      page.on('response', (response) => {
        if (response.url().endsWith('/reauthenticate') && response.ok()) isOld = false;
      });
      const name = `Later ${Date.now()}`;
      await page.getByRole('button', { name: 'Create key' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Create key' });
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Read tasks').check();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const question = page.getByRole('dialog', { name: 'Confirm your password' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await dialog.getByText('Nothing changed. This change needs your password.').waitFor();
      await dialog.getByRole('button', { name: 'Create key' }).click();
      await question.getByLabel(`Password for ${login.email}`).first().fill('not mine');
      await page.keyboard.press('Enter');
      await question.getByText('is not your password').first().waitFor();
      expect(await violations(page)).toEqual([]);
      await question.getByLabel(`Password for ${login.email}`).first().fill(login.password);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'API key created' }).waitFor();
      const { body } = await fixture().client.get<KeyOut[]>('/api/keys', { expect: 200 });
      expect(body.data.filter((key) => key.name === name)).toMatchObject([{ scopes: ['tasks:read'] }]);
    });
  });

  describe('sessions', () => {
    it('are listed, and end one by one or all at once', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings/sessions', { as: login, expected: /401/ });
      const elsewhere = await fixture().open('/login', { as: null, expected: /401/ });
      await logInBy(elsewhere, login);
      await page.reload();
      const row = page.getByRole('row').filter({ hasNotText: 'Current session' }).last();
      // Its name says which session ends, of several with the same browser.
      const time = await row.locator('time').first().getAttribute('title');
      expect(time).toMatch(/:\d\d/);
      const name = `Log out of Chrome on Linux, logged in ${time}`;
      const logOut = page.getByRole('button', { name, exact: true });
      await logOut.click();
      await logOut.waitFor({ state: 'detached' });
      // The row of this session has no button.
      await page.getByRole('heading', { name: 'Sessions' }).and(page.locator(':focus')).waitFor();
      await elsewhere.goto('/settings');
      await elsewhere.getByRole('heading', { name: 'Log in' }).waitFor();

      await logInBy(elsewhere, login);
      expect(await violations(page)).toEqual([]);
      const endAll = page.getByRole('button', { name: 'Log out of all sessions' });
      const question = page.getByRole('dialog', { name: 'Log out of all sessions?' });
      await endAll.click();
      await question.getByText('including this one').waitFor();
      expect(await violations(page)).toEqual([]);
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
      await page.reload();
      await endAll.click();
      await question.getByRole('button', { name: 'Log out of all sessions' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      for (const each of [page, elsewhere]) {
        await each.goto('/settings');
        await each.getByRole('heading', { name: 'Log in' }).waitFor();
      }
    });
  });

  describe('the profile', () => {
    it('changes the email address with the password, and logs in with it', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings', { as: login });
      const email = `new-${login.email}`;
      await page.getByLabel('New email address').fill(email);
      await page.getByLabel('Confirm with your password').first().fill(login.password);
      await page.getByRole('button', { name: 'Change email address' }).click();
      await page.getByText('Email address changed.').waitFor();
      await logInBy(await fixture().open('/login', { as: null, expected: /401/ }), { ...login, email });
    });

    it('saves the name, keeps the focus, and warns about unsaved changes', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings', { as: login });
      await page.getByLabel('Name').fill('Ada King');
      await page.getByRole('link', { name: 'Account' }).click();
      const warning = page.getByRole('dialog', { name: 'Leave without saving?' });
      await warning.getByRole('button', { name: 'Stay on page' }).click();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ada King');
      const save = page.getByRole('button', { name: 'Save' });
      await save.press('Enter');
      await page.getByText('Saved.').waitFor();
      await save.and(page.locator(':focus')).waitFor();
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByText('Ada King').waitFor();
    });

    it('shows what another tab has saved, and does not overwrite it with the next save', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings', { as: login });
      const elsewhere = await fixture().open('/settings', { as: login });
      await elsewhere.getByLabel('Name').fill('Ada of the other tab');
      await elsewhere.getByRole('button', { name: 'Save' }).click();
      await elsewhere.getByText('Saved.').waitFor();

      const emails = page.getByLabel('Email me about new tasks');
      const wereOn = await emails.isChecked();
      const save = async () => {
        await emails.setChecked(!(await emails.isChecked()));
        const saved = page.waitForResponse((one) => one.request().method() === 'PATCH');
        await page.getByRole('button', { name: 'Save' }).click();
        return (await (await saved).json()) as { data: MeOut };
      };
      expect((await save()).data).toMatchObject({ name: 'Ada of the other tab', taskEmails: !wereOn });
      await page.getByText('Saved.').first().waitFor();
      expect(await page.getByLabel('Name').inputValue()).toBe('Ada of the other tab');
      expect((await save()).data).toMatchObject({ name: 'Ada of the other tab', taskEmails: wereOn });
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    });

    it('shows each password with a button of its own name, by keyboard too', async () => {
      const page = await fixture().open('/settings');
      await page.getByRole('heading', { name: 'Profile' }).waitFor();
      const labels = ['Current password', 'New password', 'Confirm with your password'];
      for (const label of labels) {
        const button = page.getByRole('button', { name: `Show: ${label}`, exact: true });
        const input = page.getByLabel(new RegExp(`^${label}`));
        await input.focus();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await expect(button.getAttribute('aria-pressed')).resolves.toBe('true');
        expect(await input.getAttribute('type')).toBe('text');
      }
    });

    it('changes the password and ends the other sessions', async () => {
      const login = await fixture().newUser('reviewer');
      const page = await fixture().open('/settings', { as: login, expected: /422/ });
      const elsewhere = await fixture().open('/settings', {
        as: { ...login, email: login.email },
        expected: /401/,
      });
      await elsewhere.context().clearCookies();
      await logInBy(elsewhere, login);
      await page.getByLabel(/^Current password/).fill('not mine');
      await page.getByLabel(/^New password/).fill('another good one');
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('is not your password').first().waitFor();
      await page.getByLabel(/^Current password/).fill(login.password);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Password changed.').waitFor();
      await elsewhere.goto('/settings/account');
      await elsewhere.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.goto('/settings/account');
      await page.getByRole('heading', { name: 'Account', exact: true }).waitFor();
    });
  });
}

/** Logs a reviewer in, who starts in the inbox. */
async function logInBy(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').first().fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Inbox' }).waitFor();
}
