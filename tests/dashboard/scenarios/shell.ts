import type { FormOut, TaskOut } from '@svcforms/contracts';
import { addWebhook, createForm, poll, startProcess, tempFolder } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { overflow, overflowIn } from '../support/accessibility.ts';
import { tabTo } from '../support/keyboard.ts';
import { runsFromRight } from '../support/runs-from-right.ts';
import { loaded } from '../support/screens.ts';
import { OWNER, type Fixture } from '../support/fixture.ts';

export function shellScenarios(fixture: () => Fixture): void {
  describe('the shell', () => {
    it('logs in and opens the requested page', async () => {
      const page = await fixture().open('/forms?q=nothing', { as: null, expected: /401/ });
      await page.waitForURL('**/login?to=*');
      await page.getByLabel('Email').fill(OWNER.email);
      await page.getByLabel('Password').first().fill('wrong password');
      await page.keyboard.press('Enter');
      await page.getByRole('alert').getByText('Request ID').waitFor();
      // The form keeps the input.
      expect(await page.getByLabel('Email').inputValue()).toBe(OWNER.email);
      await page.getByLabel('Password').first().fill(OWNER.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/forms?q=nothing');
      await page.getByText('No forms match “nothing”.').waitFor();
    });

    it('lets a user with a generated password choose one, then opens the requested page', async () => {
      const folder = tempFolder();
      const { url } = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
      const credentials = readFileSync(join(folder, 'first-login.txt'), 'utf8');
      const [, password = ''] = /Password +(\S{43})$/m.exec(credentials) ?? [];
      const page = await fixture().open(`${url}/tasks`, { as: null, expected: /401|403/ });
      await page.getByLabel('Email').fill('owner@svcforms.local');
      await page.getByLabel('Password').first().fill(password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
      expect(await page.getByRole('navigation').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.getByLabel('Generated password').first().fill(password);
      await page.getByLabel('New password').first().fill('tasks of ada');
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
      expect(new URL(page.url()).pathname).toBe('/tasks');
    });

    it('logs out and hides all data', async () => {
      const login = await fixture().newUser('admin');
      const page = await fixture().open('/forms', { as: login, expected: /401/ });
      await page.getByRole('button', { name: 'Your account' }).click();
      await page.getByRole('menuitem', { name: 'Log out' }).click();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
    });

    it('asks for the password in place after the session ends, and continues', async () => {
      const login = await fixture().newUser('admin');
      const page = await fixture().open('/forms', { as: login, expected: /401/ });
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      await page.context().clearCookies();
      await page.getByRole('searchbox').fill('contact');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.getByLabel(`Password for ${login.email}`).first().fill(login.password);
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      expect(await page.getByRole('searchbox').inputValue()).toBe('contact');
    });

    it('saves once what was being saved when the session ended', async () => {
      const { client, newUser, open, startEndpoint } = fixture();
      const login = await newUser('admin');
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { as: login, expected: /401/ });
      await page
        .getByRole('region', { name: /^Field: / })
        .getByLabel('Label', { exact: true })
        .fill('After');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      const logInAgain = async () => {
        await dialog.getByText('your last change isn’t saved yet').waitFor();
        await dialog.getByLabel(`Password for ${login.email}`).first().fill(login.password);
        // A click, because other dialogs must not cover this one.
        await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
        await dialog.waitFor({ state: 'detached' });
      };
      await page.context().clearCookies();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await logInAgain();
      await page.getByText('Draft saved, not published').waitFor();
      const { body } = await client.get<FormOut>(`/api/forms/${form.id}?draft=true`, { expect: 200 });
      expect(body.data.fields[0]?.label).toBe('After');

      await page.goto(`/forms/${form.id}/webhooks`);
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const add = page.getByRole('dialog', { name: 'Add webhook' });
      await add.getByLabel('Endpoint URL').fill((await startEndpoint()).url);
      await page.context().clearCookies();
      await add.getByRole('button', { name: 'Add webhook' }).click();
      await logInAgain();
      await page.getByRole('dialog', { name: 'Webhook added' }).waitFor();
      const webhooks = await client.get<unknown[]>(`/api/forms/${form.id}/webhooks`, { expect: 200 });
      expect(webhooks.body.data).toHaveLength(1);
    });

    it('saves nothing after another user logged in with the same browser', async () => {
      const { client, newUser, open, openBeside } = fixture();
      const [first, second] = [await newUser('admin'), await newUser('admin')];
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { as: first, expected: /401/ });
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await label.fill('Of the first');
      const beside = await openBeside(page, '/forms');
      await beside.getByRole('button', { name: 'Your account' }).click();
      await beside.getByRole('menuitem', { name: 'Log out' }).click();
      await beside.getByLabel('Email').fill(second.email);
      await beside.getByLabel('Password').first().fill(second.password);
      await beside.getByRole('button', { name: 'Log in', exact: true }).click();
      await beside.getByRole('heading', { name: 'Forms' }).waitFor();

      const dialog = page.getByRole('dialog', { name: 'Another user logged in' });
      await dialog.waitFor();
      // The page loads its user again when somebody returns to it after a minute.
      await page.clock.setFixedTime(Date.now() + 61_000);
      const loaded = page.waitForResponse('**/api/auth/me');
      await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
      await loaded;
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('alert').getByText('Another user logged in with this browser').waitFor();
      expect(await label.inputValue()).toBe('Of the first');
      const { body } = await client.get<FormOut>(`/api/forms/${form.id}?draft=true`, { expect: 200 });
      expect(body.data.draft).toBeUndefined();
    });

    it('does not call a preview a change that the end of the session interrupted', async () => {
      const { client, newUser, open, startEndpoint } = fixture();
      const login = await newUser('admin');
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}`, { as: login, expected: /401/ });
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('Description').waitFor();
      await page.context().clearCookies();
      await edit.getByLabel('Payload format').selectOption('Slack');
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.getByText('If you have unsaved changes, save them after you log in.').waitFor();
      await dialog.getByLabel(`Password for ${login.email}`).first().fill(login.password);
      await dialog.getByRole('button', { name: 'Log in', exact: true }).click();
      await edit.getByRole('region', { name: 'Request body' }).getByText('"blocks"').waitFor();
    });

    it.each([
      '/forms/frm_00000000000000000000000000',
      '/forms/unknown',
      '/forms/unknown/build',
      '/nowhere',
      '/nowhere/at/all',
      '/settings/nowhere',
    ])('shows a not-found page inside the shell, with a way back: %s', async (path) => {
      const page = await fixture().open(path, { expected: /404/ });
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      const navigation = page.getByRole('navigation', { name: 'Main navigation' });
      await navigation.getByRole('link', { name: 'Inbox' }).waitFor();
      await page.getByRole('banner').getByRole('button', { name: 'Your account' }).waitFor();
      expect(await page.title()).toBe('Page not found · SvcForms');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Go to forms' }).click();
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
    });

    it('names the product at the login', async () => {
      const page = await fixture().open('/login', { as: null });
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      await page.getByText('SvcForms', { exact: true }).waitFor();
      expect(await page.title()).toBe('Log in · SvcForms');
    });

    it('is usable by keyboard alone, from the login to a saved form', async () => {
      const login = await fixture().newUser('admin');
      const formName = `By keys ${Date.now()}`;
      const page = await fixture().open('/login', { as: null, expected: /401/ });
      const go = (role: 'button' | 'textbox', name: string) =>
        tabTo(page, page.getByRole(role, { name, exact: true }));
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      await go('textbox', 'Email');
      await page.keyboard.type(login.email);
      await tabTo(page, page.getByLabel('Password').first());
      await page.keyboard.type(login.password);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'New form' }).waitFor();
      await go('button', 'New form');
      await page.keyboard.press('Enter');
      await page.getByRole('radio', { name: 'Contact', exact: true }).waitFor();
      await page.keyboard.type(formName);
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowDown');
      await go('button', 'Create form');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      const label = page.getByRole('region', { name: /^Field: / }).getByLabel('Label', { exact: true });
      await tabTo(page, label);
      await page.keyboard.press('Control+a');
      await page.keyboard.type('What should we call you');
      await go('button', 'Add field');
      await page.keyboard.press('Enter');
      const date = page.getByRole('menuitem', { name: 'Date', exact: true });
      await date.waitFor();
      while (!(await date.evaluate((item) => item === document.activeElement))) {
        await page.keyboard.press('ArrowDown');
      }
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Edit Date' }).waitFor();
      await page.keyboard.press('Control+s');
      await page.getByText('Draft saved.').first().waitFor();
      await go('button', 'Publish');
      await page.keyboard.press('Enter');
      await page.getByText('All changes published').waitFor();
      const { body } = await fixture().client.get<FormOut[]>(`/api/forms?q=${encodeURIComponent(formName)}`);
      expect(body.data.map(({ fields }) => [fields[0]?.label, fields[1]?.type])).toEqual([
        ['What should we call you', 'date'],
      ]);
    });

    it('goes to the same screen of another form, by keyboard', async () => {
      const { client, open } = fixture();
      const name = `Crumb ${Date.now()}`;
      const form = await createForm(client, { name: `${name} one` });
      const other = await createForm(client, { name: `${name} two` });
      const page = await open(`/forms/${form.id}/share`);
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
      await crumbs.getByRole('link', { name: 'Forms' }).waitFor();
      await page.getByRole('button', { name: 'Switch form' }).press('Enter');
      const search = page.getByRole('combobox', { name: 'Search forms' });
      await search.fill(name);
      await page.getByRole('option', { name: other.name }).waitFor();
      expect(await page.getByRole('option', { name: form.name }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await search.press('ArrowDown');
      await search.press('Enter');
      await page.waitForURL(`**/forms/${other.id}/share`);
      await page.getByRole('heading', { level: 1, name: other.name }).waitFor();
    });

    it('runs what users write in the direction of its language', async () => {
      const { client, open } = fixture();
      const [name, value, title, comment] = ['استبيان!', 'مرحبا!', 'موافقة!', 'نعم!'];
      const form = await createForm(client, { name });
      const task = { templateId: form.id, title, prefill: { email: 'ada@example.com', message: value } };
      const { body } = await client.post<TaskOut>('/api/mcp/tasks', { body: task, expect: 201 });
      // Approving it creates a submission.
      const path = `/api/mcp/tasks/${body.data.id}/decision`;
      await client.post(path, { body: { outcome: 'approved', comment }, expect: 200 });

      const page = await open(`/forms/${form.id}/submissions`);
      const expectFromRight = async (shown: Locator) => {
        await shown.waitFor();
        expect([await shown.innerText(), await runsFromRight(shown)]).toEqual([expect.any(String), true]);
      };
      await expectFromRight(page.getByRole('heading', { name }));
      await expectFromRight(page.getByRole('cell', { name: value }));
      expect(await runsFromRight(page.getByRole('cell', { name: 'ada@example.com' }))).toBe(false);
      await page.getByRole('link', { name: /ago|now/ }).click();
      await expectFromRight(page.getByRole('region', { name: 'Values' }).getByRole('cell', { name: value }));

      await page.goto(`/tasks/${body.data.id}?status=any`);
      await expectFromRight(page.getByRole('heading', { name: title }));
      for (const text of [value, comment]) await expectFromRight(page.getByText(text, { exact: true }));
      await expectFromRight(page.getByRole('navigation', { name: 'Tasks' }).getByText(title));
    });

    it('says why the other forms couldn’t be loaded, and loads them after a retry', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const other = await createForm(client, { name: `Other ${Date.now()}` });
      const page = await open(`/forms/${form.id}/share`, { expected: /429/ });
      const refused = { status: 429, code: 'RATE_LIMITED', message: 'Too many at once' };
      const lists = /\/api\/forms\?/;
      await page.route(lists, (route) => route.fulfill({ status: 429, json: refused }));
      await page.getByRole('button', { name: 'Switch form' }).click();
      await page.getByRole('alert').getByText('Too many at once').waitFor();
      expect(await page.getByText('There are no other forms.').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.unroute(lists);
      await page.getByRole('button', { name: 'Try again' }).click();
      const search = page.getByRole('combobox', { name: 'Search forms' });
      await search.and(page.locator(':focus')).waitFor();
      await page.getByRole('option', { name: other.name }).waitFor();
    });

    it('shows nothing of the form before while the screen of another form loads', async () => {
      const { client, visitor, open } = fixture();
      const mark = Date.now();
      const create = async (name: string, field: string, email: string) => {
        const fields = ['email', field].map((one) => ({ name: one, type: 'text' }));
        const created = await createForm(client, { name, fields });
        const body = { data: { email, [field]: 'Team' } };
        await visitor.post(`/api/forms/${created.id}/submissions`, { body, expect: 201 });
        return created;
      };
      const form = await create(`Before ${mark}`, 'city', 'ada@example.com');
      const other = await create(`After ${mark}`, 'plan', 'grace@example.com');
      const page = await open(`/forms/${form.id}`);
      /** Holds requests back until the returned function is called. */
      const hold = async (pattern: RegExp) => {
        let release = (): void => {};
        const released = new Promise<void>((resolve) => void (release = resolve));
        await page.route(pattern, async (route) => {
          await released;
          await route.continue();
        });
        return release;
      };
      const switchTo = async ({ name }: { name: string }) => {
        await page.getByRole('button', { name: 'Switch form' }).click();
        await page.getByRole('combobox', { name: 'Search forms' }).fill(name);
        await page.getByRole('option', { name }).click();
        await page.getByRole('heading', { level: 1, name }).waitFor();
      };
      const counts = page.getByRole('group', { name: 'Submissions', exact: true });
      await counts.waitFor();
      const load = await hold(new RegExp(`/api/forms/${other.id}/(stats|submissions)\\b`));
      await switchTo(other);
      await page.getByRole('radiogroup', { name: 'Period' }).waitFor();
      expect(await counts.count()).toBe(0);

      await switchTo(form);
      await page.getByRole('link', { name: 'Submissions', exact: true }).click();
      const row = (text: string) => page.getByRole('cell', { name: text });
      await row('ada@example.com').waitFor();
      const filter = page.getByRole('button', { name: 'Filter by field' });
      await filter.click();
      await page.getByLabel('Field', { exact: true }).selectOption('city');
      await switchTo(other);
      expect(await row('ada@example.com').count()).toBe(0);
      load();
      await row('grace@example.com').waitFor();

      // A filter keeps the rows until the others have loaded.
      await filter.click();
      await page.getByLabel('Contains').fill('nowhere');
      const search = await hold(/nowhere/);
      const searching = page.waitForRequest(/email%3Anowhere/);
      await page.getByRole('button', { name: 'Apply filter' }).click();
      await searching;
      expect(await row('grace@example.com').count()).toBe(1);
      search();
      await row('grace@example.com').waitFor({ state: 'detached' });
    });

    it('shows the error of a screen, and loads it after a retry', async () => {
      const form = await createForm(fixture().client, { name: 'There again' });
      const page = await fixture().open('/forms', { expected: /429|Too many at once/ });
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      const refused = { status: 429, code: 'RATE_LIMITED', message: 'Too many at once', requestId: 'req-1' };
      const itemUrl = new RegExp(`/api/forms/${form.id}$`);
      await page.route(itemUrl, (route) => route.fulfill({ status: 429, json: refused }));
      await page.locator(`a[href="/forms/${form.id}"]`).click();
      await page.getByRole('heading', { name: 'We couldn’t load this page' }).waitFor();
      await page.getByText('Too many at once (Request ID: req-1)').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.unroute(itemUrl);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });

    it('shows one error while the server is unavailable, until something works again', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/build`, { expected: /503|ERR_FAILED/ });
      const failure = page.getByText('Something went wrong');
      await page.getByLabel('Label', { exact: true }).first().fill('Work email');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      await page.route('**/api/forms/*?draft=true', (route) => route.abort('failed'));
      await save.click();
      await page.getByText('We can’t reach the server.').waitFor();
      await page.unroute('**/api/forms/*?draft=true');
      const problem = { code: 'UNAVAILABLE', message: 'The store is unavailable.', status: 503 };
      await page.route('**/api/forms/*?draft=true', (route) => route.fulfill({ status: 503, json: problem }));
      await save.click();
      await page.getByText('The store is unavailable.').waitFor();
      expect(await failure.count()).toBe(1);
      await page.unroute('**/api/forms/*?draft=true');
      await save.click();
      await page.getByText('Draft saved.').first().waitFor();
      await failure.waitFor({ state: 'detached' });
    });

    it('recovers with a reload when a chunk is missing after a deployment', async () => {
      const page = await fixture().open('/settings', { expected: /ERR_FAILED|dynamically imported module/ });
      await page.getByRole('heading', { name: 'Profile' }).waitFor();
      const part = '**/assets/users-screen-*.js';
      await page.route(part, (route) => route.abort());
      await page.getByRole('link', { name: 'Team' }).click();
      await page.getByRole('heading', { name: 'We couldn’t load this page' }).waitFor();
      await page.unroute(part);
      await page.getByRole('button', { name: 'Reload page' }).click();
      await page.getByRole('heading', { name: 'Team' }).waitFor();
    });

    it('stays when a screen can’t load because the browser is offline', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const expected = /ERR_INTERNET_DISCONNECTED|dynamically imported module|offline/;
      const page = await open(`/forms/${form.id}/submissions`, { expected });
      await page.getByRole('heading', { name: 'Submissions' }).waitFor();
      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('heading', { name: 'We couldn’t load this page' }).waitFor();
      await page.getByText('You’re offline.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Reload page' }).click();
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    });

    it("follows the system's color scheme until the user selects one", async () => {
      const page = await fixture().open('/forms', { context: { colorScheme: 'light' } });
      const shown = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const system = page.getByRole('button', { name: 'Use dark mode' });
      await system.waitFor();
      const light = await shown();
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.getByRole('button', { name: 'Use light mode' }).waitFor();
      const dark = await shown();
      expect(dark).not.toBe(light);
      await page.getByRole('button', { name: 'Use light mode' }).click();
      await system.waitFor();
      expect(await shown()).toBe(light);
      await page.reload();
      await system.waitFor();
      expect(await shown()).toBe(light);
    });

    it.each(['light', 'dark'] as const)('has no violations at the login, in %s.', async (colorScheme) => {
      const page = await fixture().open('/login', { as: null, context: { colorScheme } });
      await page.getByRole('heading', { name: 'Log in' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('shows what is chosen in forced colors, which have no backgrounds', async () => {
      const form = await createForm(fixture().client);
      const page = await fixture().open(`/forms/${form.id}/display`, { context: { forcedColors: 'active' } });
      const pictureOf = async (target: Locator) => (await target.screenshot()).toString('base64');
      const chosen = page.getByRole('radio', { name: 'Inline' });
      const other = page.getByRole('radio', { name: 'Popup', exact: true });
      await chosen.waitFor();
      expect(await pictureOf(chosen.locator('..'))).not.toBe(await pictureOf(other.locator('..')));

      const sections = page.getByRole('navigation', { name: 'Form sections' });
      const lineOf = (name: string) =>
        sections
          .getByRole('link', { name })
          .evaluate((link) => getComputedStyle(link).getPropertyValue('border-bottom-width'));
      expect(await lineOf('Display')).not.toBe(await lineOf('Build'));

      await page.keyboard.press('ControlOrMeta+k');
      const option = page.getByRole('option').first();
      await option.waitFor();
      const before = await pictureOf(option);
      await page.keyboard.press('ArrowDown');
      expect(await pictureOf(option)).not.toBe(before);
    });

    it('prints a page without its open menu', async () => {
      const page = await fixture().open('/forms');
      await page.getByRole('button', { name: 'Your account' }).click();
      const menu = page.getByRole('menuitem', { name: 'Log out' });
      await menu.waitFor();
      await page.emulateMedia({ media: 'print' });
      expect(await menu.isVisible()).toBe(false);
      await page.emulateMedia({ media: 'screen' });
      expect(await menu.isVisible()).toBe(true);
    });

    it('fits a narrow phone', async () => {
      const page = await fixture().open('/forms', { context: { viewport: { width: 320, height: 640 } } });
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      expect(await overflow(page)).toBe(0);
      await page.getByRole('button', { name: 'Open navigation' }).click();
      await page
        .getByRole('navigation', { name: 'Main navigation' })
        .getByRole('link', { name: 'Forms' })
        .waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it('fits a phone whose user reads large text, with every button of the header', async () => {
      const viewport = { width: 360, height: 740 };
      const { id } = await createForm(fixture().client, { name: 'Order desk' });
      const page = await fixture().open('/login', { context: { viewport } });
      const session = await page.context().newCDPSession(page);
      // As in the settings of the browser, which media queries in em follow.
      await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
      const form = `/forms/${id}`;
      const wide: Record<string, number> = {};
      for (const path of [
        '/forms',
        form,
        `${form}/build`,
        `${form}/publish`,
        `${form}/settings`,
        `${form}/submissions`,
        '/developers',
        '/settings',
        '/settings/keys',
        '/settings/sessions',
      ]) {
        await page.goto(path);
        const menu = page.getByRole('button', { name: 'Your account' });
        await menu.waitFor();
        await loaded(page);
        const box = await menu.boundingBox();
        const right = (box?.x ?? Infinity) + (box?.width ?? 0);
        const width = Math.max(right, viewport.width + (await overflowIn(page, viewport)));
        if (width > viewport.width) wide[path] = width;
      }
      expect(wide).toEqual({});
      expect(await page.locator('html').evaluate((html) => getComputedStyle(html).fontSize)).toBe('32px');
    });

    it('shows the navigation of a phone instead of the screen, until Escape or a link closes it', async () => {
      const page = await fixture().open('/forms', { context: { viewport: { width: 360, height: 740 } } });
      const toggle = page.getByRole('button', { name: /navigation$/ });
      const screen = page.getByRole('main');
      await page.getByRole('heading', { name: 'Forms' }).waitFor();
      await toggle.click();
      await screen.waitFor({ state: 'hidden' });
      await page.keyboard.press('Escape');
      await screen.waitFor();
      await toggle.and(page.locator(':focus')).waitFor();

      const open = async (name: string) => {
        await toggle.press('Enter');
        await page.getByRole('navigation').getByRole('link', { name }).press('Enter');
        await screen.waitFor();
      };
      // The link of the screen that is open closes the navigation, too.
      await open('Forms');
      await open('Developers');
      await page.getByRole('heading', { name: 'Developers' }).and(page.locator(':focus')).waitFor();
      await toggle.press('Enter');
      await page.goBack();
      await page.getByRole('heading', { name: 'Forms' }).and(page.locator(':focus')).waitFor();
      expect(await toggle.getAttribute('aria-expanded')).toBe('false');

      // A wide window shows both.
      await toggle.press('Enter');
      await page.setViewportSize({ width: 1000, height: 700 });
      await screen.waitFor();
    });

    it('keeps the tabs of a form in one row on a phone, with the current one in view', async () => {
      const form = await createForm(fixture().client);
      const viewport = { width: 390, height: 844 };
      const page = await fixture().open(`/forms/${form.id}/settings`, { context: { viewport } });
      const tabs = page.getByRole('navigation', { name: 'Form sections' });
      const current = tabs.getByRole('link', { name: 'Settings' });
      const inView = async (name: string) => {
        const box = await tabs.getByRole('link', { name }).boundingBox();
        return box !== null && box.x >= 0 && box.x + box.width <= viewport.width;
      };
      await current.waitFor();
      expect((await tabs.boundingBox())?.height).toBeLessThan(60);
      await poll(() => inView('Settings'), { what: 'the current tab in view' });
      expect(await inView('Overview')).toBe(false);
      await tabs.getByRole('link', { name: 'Overview' }).press('Enter');
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await poll(() => inView('Overview'), { what: 'the other tab in view' });
      expect(await overflow(page)).toBe(0);
    });
  });
}
