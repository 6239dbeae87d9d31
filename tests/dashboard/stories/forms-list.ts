import type { FormOut, FormTemplate } from '@svcforms/contracts';
import { addWebhook, createForm, poll } from '@svcforms/test-kit';
import { readFile } from 'node:fs/promises';
import { violations } from '../../browser/accessibility.ts';
import { recordCalls } from '../calls.ts';
import type { Stage } from '../stage.ts';

export function formsListStories(stage: () => Stage): void {
  describe('the list of forms', () => {
    const formsNamed = async (name: string) => {
      const { body } = await stage().client.get<FormOut[]>(`/api/forms?q=${encodeURIComponent(name)}`);
      return body.data;
    };

    it('finds a form by its name and leads to it.', async () => {
      const { client, open } = stage();
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

    it('tells how often each was sent, and shown and converted in 14 days; for all of them by one call.', async () => {
      const { client, visitor, open } = stage();
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
      const calls = recordCalls(page, /\/stats/);
      await page.goto('/forms');
      const row = page.getByRole('row', { name });
      await row.getByRole('img', { name: 'Shown 2 times, converted 1 time in 14 days' }).waitFor();
      await row.getByRole('cell', { name: 'Popup' }).waitFor();
      await row.getByRole('cell', { name: '1', exact: true }).waitFor();
      expect(await page.getByRole('row').count()).toBeGreaterThan(3);
      expect(calls.map(({ pathname }) => pathname)).toEqual(['/api/stats']);
    });

    it('makes a form of a template, which opens where it is built.', async () => {
      const name = `Made of a template ${Date.now()}`;
      const page = await stage().open('/forms');
      await page.getByRole('button', { name: 'New form' }).click();
      const dialog = page.getByRole('dialog', { name: 'A new form' });
      await dialog.getByRole('radio', { name: 'Contact', exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
      await dialog.getByRole('radio', { name: 'Contact', exact: true }).check();
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();
      await page.getByRole('button', { name: 'Edit Your name' }).waitFor();
      const [made] = await formsNamed(name);
      expect(made?.fields.map(({ name }) => name)).toContain('topic');
    });

    it('exports a form, and imports what was exported; a file that is none is told of.', async () => {
      const { client, open } = stage();
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
      await page.getByRole('alert').getByText('Request id').waitFor();
      await input.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
      await page.getByText('a.txt holds no exported form').waitFor();
      const again = `${form.name} again`;
      const renamed = buffer({ ...template, name: again });
      await input.setInputFiles({ name: 'b.json', mimeType: 'application/json', buffer: renamed });
      await page.getByRole('link', { name: again }).waitFor();
      const [made] = await formsNamed(again);
      expect(made?.fields).toEqual(form.fields);
    });

    it('duplicates a form, and deletes one after naming what goes with it.', async () => {
      const { client, open, startEndpoint, visitor } = stage();
      const form = await createForm(client, { name: `Short lived ${Date.now()}` });
      await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const page = await open(`/forms?q=${encodeURIComponent(form.name)}`);
      await page.getByRole('button', { name: `Actions for ${form.name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Duplicate' }).click();
      await page.getByRole('link', { name: `${form.name} (copy)` }).waitFor();

      await page.getByRole('button', { name: `Actions for ${form.name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      const dialog = page.getByRole('dialog', { name: `Delete ${form.name}?` });
      await dialog.getByText('1 webhook and their deliveries').waitFor();
      await dialog.getByText('With the form go 1 submission,').waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('link', { name: form.name, exact: true }).waitFor({ state: 'detached' });
      await client.get(`/api/forms/${form.id}`, { expect: 404 });
    });
  });
}
