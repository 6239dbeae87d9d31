import { addWebhook, createForm } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import { comeBack } from '../support/come-back.ts';
import type { Fixture } from '../support/fixture.ts';

/** Addresses that were mistyped, are outdated, or aren't for the user. */
export function addressScenarios(fixture: () => Fixture): void {
  describe('an address', () => {
    it.each([
      ['FORM?range=zzz', 'Overview', '30 days'],
      ['FORM?range=custom&from=2026-01-01&to=2026-12-99', 'Overview', 'Custom'],
      ['FORM?range=custom&from=2026-02-30', 'Overview', 'Custom'],
      ['FORM/submissions?from=2026-13-45&to=99999-01-01&via=zzz', 'Submissions', 'No submissions yet'],
      ['/settings/audit-log?from=2026-13-45&to=zzz&action=nope', 'Audit log', 'Show only changes by'],
      ['/tasks?status=zzz&priority=zzz&sort=zzz', 'Inbox', 'Select a task'],
    ])('ignores invalid parameters: %s', async (path, heading, text) => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(path.replace('FORM', `/forms/${form.id}`));
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
      await page
        .getByText(text)
        .or(page.getByRole('button', { name: text }))
        .first()
        .waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it('of a webhook ignores invalid filters', async () => {
      const { client, open, startEndpoint } = fixture();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}?delivery=zzz&event=nope`);
      await page.getByText('No deliveries yet').waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    });

    it.each([
      ['/tasks/tsk_00000000000000000000000000', 'Task not found'],
      ['FORM/webhooks/whk_00000000000000000000000000', 'Webhook not found'],
      ['FORM/integrations/inb_00000000000000000000000000', 'Inbound endpoint not found'],
      ['/settings/webhooks/whk_00000000000000000000000000', 'Webhook not found'],
    ])('says that nothing is there, without offering to try again: %s', async (path, heading) => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(path.replace('FORM', `/forms/${form.id}`), { expected: /404/ });
      await page.getByRole('heading', { name: heading }).waitFor();
      expect(await page.title()).toContain(heading);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
    });

    it('of a submission that was deleted says so beside the list', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/submissions/sub_00000000000000000000000000`, {
        expected: /404/,
      });
      const drawer = page.getByRole('dialog', { name: 'Submission' });
      await drawer.getByText('This submission doesn’t exist. It may have been deleted.').waitFor();
      expect(await drawer.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    });

    it('of a webhook that is deleted elsewhere says so, without an error', async () => {
      const { client, open, startEndpoint } = fixture();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      const path = `/forms/${form.id}/webhooks/${webhook.id}`;
      const page = await open(path, { expected: /404/ });
      await page.getByText('No deliveries yet').waitFor();
      await client.delete(`/api${path}`, { expect: 204 });
      await page.getByRole('heading', { name: 'Webhook not found' }).waitFor();
      expect(await page.getByText('Something went wrong').count()).toBe(0);
    });

    it.each(['', '/submissions', '/publish', '/share'])(
      'of a form that is deleted elsewhere says so, without an error: FORM%s',
      async (screen) => {
        const { client, open } = fixture();
        const form = await createForm(client);
        const page = await open(`/forms/${form.id}${screen}`, { expected: /404/ });
        await page.getByRole('heading', { name: form.name, exact: true }).waitFor();
        await client.delete(`/api/forms/${form.id}`, { expect: 204 });
        const gone = page.getByRole('heading', { name: 'Page not found' });
        // The overview may also notice by itself.
        if (screen === '') await page.getByText('7 days', { exact: true }).or(gone).click();
        // Somebody who comes back to the window.
        else await comeBack(page, page.getByRole('heading', { name: 'Page not found' }));
        await gone.waitFor();
        expect(await page.getByRole('alert').count()).toBe(0);
      },
    );

    it('that a reviewer may not open says so, with a way on', async () => {
      const { client, newUser, open } = fixture();
      const form = await createForm(client);
      const page = await open('/tasks', { as: await newUser('reviewer') });
      const heading = page.getByRole('heading', { name: 'You don’t have access to this page' });
      const screens = ['build', 'display', 'languages', 'publish', 'settings', 'integrations', 'webhooks'];
      for (const path of screens.concat('webhooks/whk_00000000000000000000000000')) {
        await page.goto(`/forms/${form.id}/${path}`);
        await heading.waitFor();
        expect(await page.getByRole('button', { name: /Save|Publish|Try again|Add/ }).count()).toBe(0);
      }
      for (const path of ['users', 'groups', 'keys', 'webhooks', 'audit-log']) {
        await page.goto(`/settings/${path}`);
        await heading.waitFor();
      }
      await page.goto('/developers');
      await heading.waitFor();
      await page.getByText('Your role is Reviewer.').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Go to your start page' }).click();
      await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    });
  });

  describe('a period', () => {
    it.each([
      ['submissions', 'FORM/submissions', 'No submissions match these filters'],
      ['the audit log', '/settings/audit-log', 'No entries match these filters'],
    ])('of %s that ends before it starts is an error at its last day', async (_, path, nothing) => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(path.replace('FORM', `/forms/${form.id}`));
      await page.getByLabel('From', { exact: true }).fill('2026-11-20');
      await page.getByLabel('To', { exact: true }).fill('2026-11-19');
      await page.getByText('Choose a day on or after “From”.').waitFor();
      await page.getByText(nothing).waitFor();
      expect(await page.getByLabel('To', { exact: true }).getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByRole('link', { name: /Export/ }).count()).toBe(0);
      await page.getByLabel('To', { exact: true }).fill('2026-11-20');
      await page.getByText('Choose a day on or after “From”.').waitFor({ state: 'detached' });
    });

    it('takes a year of four digits only', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/submissions`);
      await page.getByLabel('From', { exact: true }).click();
      // 01/01/99999, as an English keyboard types it.
      await page.keyboard.type('010199999');
      await page.getByText('No submissions').first().waitFor();
      expect(await page.getByText('Something went wrong').count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Submissions' }).count()).toBe(1);
    });
  });
}
