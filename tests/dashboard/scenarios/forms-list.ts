import type { FormOut, FormTemplate } from '@svcforms/contracts';
import { addWebhook, createForm, poll } from '@svcforms/test-kit';
import { readFile } from 'node:fs/promises';
import type { Route } from 'playwright-core';
import { violations } from '../../browser/accessibility.ts';
import { recordRequests } from '../support/requests.ts';
import type { Fixture } from '../support/fixture.ts';

export function formsListScenarios(fixture: () => Fixture): void {
  describe('the list of forms', () => {
    const formsNamed = async (name: string) => {
      const { body } = await fixture().client.get<FormOut[]>(`/api/forms?q=${encodeURIComponent(name)}`);
      return body.data;
    };

    it('finds a form by its name and opens it', async () => {
      const { client, open } = fixture();
      const mark = Date.now();
      const form = await createForm(client, { name: `Ask for a quote ${mark}` });
      await createForm(client, { name: `Something else ${mark}` });
      const page = await open('/forms');
      const other = page.getByRole('link', { name: `Something else ${mark}` });
      await other.waitFor();
      await page.getByRole('searchbox').fill(`quote ${mark}`);
      await other.waitFor({ state: 'detached' });
      await page.waitForURL(`**/forms?q=quote+${mark}`);
      await page.getByRole('link', { name: `Ask for a quote ${mark}` }).click();
      await page.waitForURL(`**/forms/${form.id}`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.textContent === 'Overview');
      expect(await page.title()).toBe(`Overview · Ask for a quote ${mark} · SvcForms`);
    });

    it('shows the search again that the browser goes back to', async () => {
      const { open } = fixture();
      const page = await open('/forms');
      const search = page.getByRole('searchbox');
      await search.fill('quote');
      await page.waitForURL('**/forms?q=quote');
      const navigation = page.getByRole('navigation', { name: 'Main navigation' });
      await navigation.getByRole('link', { name: 'Forms' }).click();
      await page.waitForURL('**/forms');
      expect(await search.inputValue()).toBe('');
      await page.goBack();
      await page.waitForURL('**/forms?q=quote');
      expect(await search.inputValue()).toBe('quote');
    });

    it('shows submissions, impressions and conversions of 14 days with one request for all forms', async () => {
      const { client, visitor, open } = fixture();
      const name = `With numbers ${Date.now()}`;
      const form = await createForm(client, {
        name,
        settings: { popup: { enabled: true, trigger: 'exit' } },
      });
      for (const type of ['shown', 'shown', 'converted'])
        await visitor.post(`/api/forms/${form.id}/events`, { body: { type }, expect: 204 });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      await poll(
        async () => {
          const { body } = await client.get<{ shown: number }[]>(`/api/forms/${form.id}/stats`);
          return body.data.some(({ shown }) => shown === 2);
        },
        { what: 'the numbers of today' },
      );
      for (const beside of ['Beside it', 'And another']) await createForm(client, { name: beside });
      const page = await open('/settings');
      const statsUrls = recordRequests(page, /\/stats/);
      await page.goto('/forms');
      const row = page.getByRole('row', { name });
      await row.getByRole('img', { name: '2 impressions and 1 conversion in the last 14 days' }).waitFor();
      await row.getByRole('cell', { name: 'Popup' }).waitFor();
      await row.getByRole('cell', { name: '1', exact: true }).waitFor();
      expect(await page.getByRole('row').count()).toBeGreaterThan(3);
      expect(statsUrls.map(({ pathname }) => pathname)).toEqual(['/api/stats']);
    });

    it('says that a form without a popup has no impressions, however many submissions it has', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { name: `Inline only ${Date.now()}` });
      await visitor.post(`/api/forms/${form.id}/events`, { body: { type: 'viewed' }, expect: 204 });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const page = await open('/forms');
      await page.getByRole('columnheader', { name: 'Impressions, 14 days' }).waitFor();
      const row = page.getByRole('row', { name: form.name });
      await row.getByRole('cell', { name: 'No impressions' }).waitFor();
    });

    it('shows which forms are closed, including by the number of their submissions', async () => {
      const { client, visitor, open } = fixture();
      const mark = Date.now();
      const named = (name: string, closing: object) =>
        createForm(client, { name: `${name} ${mark}`, settings: { closing } });
      const full = await named('Full', { maxSubmissions: 1 });
      await named('Not yet full', { maxSubmissions: 2 });
      await named('Switched off', { isClosed: true });
      await visitor.post(`/api/forms/${full.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const page = await open(`/forms?q=${mark}`);
      const status = (name: string, text: string) =>
        page
          .getByRole('row', { name: `${name} ${mark}` })
          .getByText(text, { exact: true })
          .waitFor();
      await status('Full', 'Closed');
      await status('Not yet full', 'Published');
      await status('Switched off', 'Closed');
    });

    it('creates a form from a template and opens the builder', async () => {
      const name = `Made of a template ${Date.now()}`;
      const page = await fixture().open('/forms');
      await page.getByRole('button', { name: 'New form' }).click();
      const dialog = page.getByRole('dialog', { name: 'New form' });
      await dialog.getByRole('radio', { name: 'Contact', exact: true }).waitFor();
      // The gallery shows each template with its title, before it is chosen.
      const small = dialog.frameLocator('iframe[title="Contact"]');
      await small.getByText('Contact us').waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      // Anywhere on the card, which the label of the radio button covers.
      await dialog.getByText('Visitors ask a question').click({ force: true });
      expect(await dialog.getByRole('radio', { name: 'Contact', exact: true }).isChecked()).toBe(true);
      await dialog
        .frameLocator('iframe[title="Preview of the template"]')
        .getByRole('heading', { name: 'Contact us' })
        .waitFor();
      await dialog.getByRole('button', { name: 'Create form' }).click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      await page.getByRole('button', { name: 'Edit Your name' }).waitFor();
      const [created] = await formsNamed(name);
      expect(created?.fields.map(({ name }) => name)).toContain('topic');
      expect(created).toMatchObject({ title: 'Contact us', intro: expect.any(String) as string });
      expect(created?.settings.spam).toEqual({ isEnabled: true });
    });

    it('asks before the back button closes the dialog for a new form and discards its input', async () => {
      const page = await fixture().open('/forms');
      await page.getByRole('button', { name: 'New form' }).click();
      const dialog = page.getByRole('dialog', { name: 'New form' });
      const name = dialog.getByRole('textbox', { name: 'Name' });
      await name.fill('Not yet');
      const back = () => page.evaluate(() => history.back());
      await back();
      const question = page.getByRole('dialog', { name: 'Discard your changes?' });
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await question.waitFor({ state: 'detached' });
      expect(await name.inputValue()).toBe('Not yet');
      await back();
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await dialog.waitFor({ state: 'detached' });
      await question.waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('');
    });

    it('creates one form by a double click, and after a response that was lost', async () => {
      const page = await fixture().open('/forms?new=true', { expected: /ERR_FAILED/ });
      const dialog = page.getByRole('dialog', { name: 'New form' });
      const create = dialog.getByRole('button', { name: 'Create form' });
      const once = `Clicked twice ${Date.now()}`;
      await dialog.getByRole('textbox', { name: 'Name' }).fill(once);
      await create.dblclick();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      expect(await formsNamed(once)).toHaveLength(1);

      await page.goto('/forms?new=true');
      const again = `Tried again ${Date.now()}`;
      await dialog.getByRole('textbox', { name: 'Name' }).fill(again);
      const loseResponse = async (route: Route) => {
        await route.fetch();
        await route.abort('failed');
      };
      await page.route(/\/api\/forms(\?draft=true)?$/, loseResponse, { times: 1 });
      await create.click();
      await page.getByRole('alert').waitFor();
      expect(await formsNamed(again)).toHaveLength(1);
      await create.click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      expect(await formsNamed(again)).toHaveLength(1);
    });

    it('exports a form, imports it again, and refuses other files', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { name: `Taken along ${Date.now()}` });
      const page = await open(`/forms?q=${encodeURIComponent(form.name)}`, { expected: /422/ });
      await page.getByRole('button', { name: `Actions for ${form.name}`, exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Export' }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`${form.name.replaceAll(' ', '-')}.json`);
      const template = JSON.parse(await readFile(await download.path(), 'utf8')) as FormTemplate;
      expect(template).toMatchObject({ template: 1, name: form.name, fields: form.fields });

      const input = page.locator('input[type=file]');
      const buffer = (value: unknown) => Buffer.from(JSON.stringify(value));
      await input.setInputFiles({
        name: 'a.json',
        mimeType: 'application/json',
        buffer: buffer({ template: 9 }),
      });
      await page.getByRole('alert').getByText('Request ID').waitFor();
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
      await page.getByText('a.txt isn’t an exported form').waitFor();
      const again = `${form.name} again`;
      const renamed = buffer({ ...template, name: again });
      await input.setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: renamed });
      await page.getByText(`“${again}” imported as a draft.`).waitFor();
      await page.getByRole('row', { name: again }).getByText('Draft', { exact: true }).waitFor();
      const [imported] = await formsNamed(again);
      expect(imported).toMatchObject({ version: 0, fields: form.fields });
    });

    it('duplicates a form, and deletes one after naming what else is deleted', async () => {
      const { client, open, startEndpoint, visitor } = fixture();
      const form = await createForm(client, { name: `Short lived ${Date.now()}` });
      await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const { id: otherId } = await createForm(client);
      for (const templateId of [form.id, form.id, otherId])
        await client.post('/api/mcp/tasks', {
          body: { templateId, prefill: { email: 'ada@example.com' } },
          expect: 201,
        });
      await client.put(`/api/forms/${form.id}?draft=true`, {
        body: { ...form, name: `${form.name}, changed` },
        expect: 200,
      });
      const page = await open(`/forms?q=${encodeURIComponent(form.name)}`);
      await page.getByRole('row', { name: form.name }).getByText('Unpublished changes').waitFor();
      await page.getByRole('button', { name: `Actions for ${form.name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page
        .getByText(`“${form.name} (copy)” created as a draft, without the unpublished changes.`)
        .waitFor();
      await page
        .getByRole('row', { name: `${form.name} (copy)` })
        .getByText('Draft', { exact: true })
        .waitFor();
      expect((await formsNamed(`${form.name} (copy)`))[0]?.version).toBe(0);

      await page.getByRole('button', { name: `Actions for ${form.name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: `Delete ${form.name}?` });
      await dialog.getByText('1 webhook with all deliveries').waitFor();
      await dialog.getByText('This also deletes 1 submission,').waitFor();
      await dialog.getByText('its tasks (2 pending)').waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: form.name, exact: true }).waitFor({ state: 'detached' });
      await client.get(`/api/forms/${form.id}`, { expect: 404 });
    });
  });
}
