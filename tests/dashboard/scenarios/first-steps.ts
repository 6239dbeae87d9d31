import type { FormOut } from '@svcforms/contracts';
import { createForm } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

export function firstStepsScenarios(fixture: () => Fixture): void {
  describe('the first steps with a form', () => {
    it('are done one by one, and disappear when all are', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const form = await createForm(client, { fields: [], settings: {} });
      const page = await open(`/forms/${form.id}`);
      const steps = page.getByRole('region', { name: 'Get started' });
      await steps.getByText('0 of 5 done').waitFor();
      expect(await violations(page)).toEqual([]);
      await steps.getByRole('link', { name: 'Add fields' }).click();
      await page.getByRole('heading', { name: 'Build' }).waitFor();

      const fields = [{ name: 'email', type: 'email' }];
      await client.put(`/api/forms/${form.id}`, { body: { ...form, fields }, expect: 200 });
      await page.goto(`/forms/${form.id}`);
      await steps.getByText('1 of 5 done').waitFor();
      await page.getByText('Script not seen on a page yet.').waitFor();
      // As a browser loads the form on a page of another site.
      await visitor.get(`/embed/forms/${form.id}.json`, {
        headers: { Origin: 'https://shop.example' },
        expect: 200,
      });
      await page.getByText(/Script last seen on shop\.example, (just now|\d+ seconds? ago)/).waitFor();
      await steps.getByText('3 of 5 done').waitFor();
      await steps.getByRole('link', { name: 'View submissions' }).waitFor();
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      await steps.getByText('4 of 5 done').waitFor();
      // A webhook of the account that other forms have, and this one doesn't.
      const { id: otherId } = await createForm(client);
      const others = { url: (await startEndpoint()).url, events: ['form.submission.new'], forms: [otherId] };
      await client.post('/api/webhooks', { body: others, expect: 201 });
      const disabled = { url: others.url, events: others.events, isEnabled: false };
      const { body } = await client.post<{ id: string }>('/api/webhooks', { body: disabled, expect: 201 });
      await page.reload();
      await steps.getByText('4 of 5 done').waitFor();
      await client.delete(`/api/webhooks/${body.data.id}`, { expect: 204 });
      await client.post(`/api/forms/${form.id}/webhooks`, {
        body: { url: (await startEndpoint()).url, events: ['form.submission.new'] },
        expect: 201,
      });
      await steps.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: 'Share' }).click();
      await page.getByText(/Script last seen on shop\.example/).waitFor();
      expect((await client.get<FormOut>(`/api/forms/${form.id}`)).body.data.version).toBe(2);
    });

    it('count the first submission of a form that is only shared as a link', async () => {
      const { client, visitor, open } = fixture();
      const form = await createForm(client, { settings: {} });
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const page = await open(`/forms/${form.id}`);
      await page.getByRole('region', { name: 'Get started' }).getByText('3 of 5 done').waitFor();
      expect(await page.getByText('Script not seen on a page yet.').count()).toBe(0);
    });

    it('stay hidden for the user who hid them', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}`);
      const steps = page.getByRole('region', { name: 'Get started' });
      await steps.getByRole('button', { name: 'Hide this checklist' }).click();
      await steps.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('group', { name: 'Impressions' }).waitFor();
      expect(await steps.count()).toBe(0);
    });
  });

  describe('the settings of a form', () => {
    it('are saved: addresses, metadata, origins, events of tasks and retention', async () => {
      const { client, open } = fixture();
      const form = await createForm(client, { settings: { tasks: { remindAfterSeconds: 3600 } } });
      const page = await open(`/forms/${form.id}/settings`, { expected: /422/ });
      const emails = page.getByLabel('Email addresses');
      await emails.fill('nope\nowner@example.com\nnot an address\nnope\nnope');
      await page.getByRole('switch', { name: 'Store the IP address' }).check();
      await page.getByRole('switch', { name: 'Tasks emit submission events' }).check();
      await page.getByLabel('Only these origins').check();
      await page.getByText('Without an origin, only the hosted page can submit the form.').waitFor();
      await page
        .getByLabel('Origins', { exact: true })
        .fill('https://shop.example\n\nhttps://www.shop.example');
      await page.getByLabel('Erase submissions after (days)').fill('30');
      await page.keyboard.press('Control+s');
      const toast = page.getByRole('alert');
      await toast.getByText('Settings, “nope”: Must be an email address', { exact: true }).waitFor();
      await toast.getByText('Settings, “not an address”: Must be an email address').waitFor();
      // The input says which line it is, even after the lines have changed.
      await emails.fill('owner@example.com\nnope');
      await page.getByText('“nope”: Must be an email address', { exact: true }).waitFor();
      const listed = page.getByRole('list', { name: 'Address status' }).getByRole('listitem');
      expect(await listed.allInnerTexts()).toEqual([expect.stringContaining('owner@example.com')]);
      await emails.fill('owner@example.com');
      await page.keyboard.press('Control+s');
      await page.getByText('Draft saved.').first().waitFor();
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await page.getByText('All changes published').waitFor();
      await page.getByRole('list', { name: 'Address status' }).getByText('Verified').waitFor();
      expect(await violations(page)).toEqual([]);
      expect((await client.get<FormOut>(`/api/forms/${form.id}`)).body.data.settings).toEqual({
        notifications: { emails: ['owner@example.com'] },
        metadata: { includeIp: true },
        tasks: { remindAfterSeconds: 3600, emitSubmissionEvents: true },
        allowedOrigins: ['https://shop.example', 'https://www.shop.example'],
        retentionDays: 30,
      });
    });

    it('say when a notification address gets its verification email', async () => {
      const { client, open } = fixture();
      const { body } = await client.post<FormOut>('/api/forms?draft=true', {
        body: { name: 'Notifies', fields: [{ name: 'note', type: 'text' }] },
        expect: 201,
      });
      const page = await open(`/forms/${body.data.id}/settings`);
      const [first, second] = [`first${Date.now()}@example.com`, `second${Date.now()}@example.com`];
      const status = page.getByRole('list', { name: 'Address status' });
      const says = (email: string, text: string) =>
        status.getByRole('listitem').filter({ hasText: email }).getByText(text, { exact: true }).waitFor();
      const save = async () => {
        await page.getByRole('button', { name: 'Save', exact: true }).click();
        await page.getByText('Draft saved, not published').waitFor();
      };
      await page.getByLabel('Email addresses').fill(first);
      await says(first, 'Save and publish to send a verification email.');
      await save();
      await says(first, 'Publish to send a verification email.');
      await page.getByRole('button', { name: 'Publish', exact: true }).click();
      await says(first, 'Waiting for verification');
      await page.getByLabel('Email addresses').fill(`${first}\n${second}`);
      await says(second, 'Save and publish to send a verification email.');
      await save();
      await says(second, 'Publish to send a verification email.');
      await says(first, 'Waiting for verification');

      await page.route('**/api/auth/methods', (route) =>
        route.fulfill({ json: { success: true, data: { passwordReset: 'operator' } } }),
      );
      await page.reload();
      await page.getByText('This installation sends no email. Ask its operator to set up SMTP.').waitFor();
      expect(await status.count()).toBe(0);
    });
  });
}
