import { addWebhook, createForm } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

export function payloadScenarios(fixture: () => Fixture): void {
  describe('the payload format of a webhook', () => {
    it('is chosen and written beside a preview with recent events, which names the line of an error', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: endpoint.url });
      const body = { data: { email: 'zoe@example.com' } };
      await visitor.post(`/api/forms/${form.id}/submissions`, { body, expect: 201 });
      await endpoint.waitFor(1);
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}`, { expected: /422/ });
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('Payload format').selectOption('Slack');
      const preview = edit.getByRole('region', { name: 'Preview' });
      const shown = preview.getByRole('region', { name: 'Request body' });
      await shown.getByText('"blocks"').waitFor();
      await edit.getByLabel('Payload format').selectOption('Template');
      await shown.getByText('"fields"').waitFor();
      const template = edit.getByRole('textbox', { name: 'Template' });
      await template.fill('{\n  "from": "{{ data.email | nope }}"\n}');
      await edit.getByText('Line 2, column 12: undefined filter: nope').waitFor();
      expect(await violations(page)).toEqual([]);
      await edit.getByRole('button', { name: 'Go to line 2' }).click();
      await page.keyboard.insertText('  "from": "{{ data.email }}"');
      const recent = preview
        .getByLabel('Event', { exact: true })
        .locator('option', { hasText: 'form.submission.new,' });
      await preview
        .getByLabel('Event', { exact: true })
        .selectOption((await recent.first().getAttribute('value')) ?? '');
      await shown.getByText('"from": "zoe@example.com"').waitFor();
      expect(await shown.innerText()).toBe('{\n  "from": "zoe@example.com"\n}');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Template' }).waitFor();
      const test = page.getByRole('region', { name: 'Send test event' });
      await test.getByRole('button', { name: 'Send test event' }).click();
      await test.getByText('Delivered.').waitFor();
      const sample = await endpoint.waitFor(({ headers }) => headers['svc-test'] === 'true', 'the sample');
      expect(JSON.parse(sample.rawBody.toString())).toEqual({ from: 'ada@example.com' });

      await page.getByRole('button', { name: 'Edit' }).click();
      await edit.getByRole('textbox', { name: 'Template' }).fill('{"from": {{ data.nothing }}}');
      await preview.getByText('Line 1, column 10 in the rendered body').waitFor();
      await edit.getByRole('textbox', { name: 'Template' }).fill('{% if x %}');
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.getByRole('alert').first().waitFor();
      await edit.getByLabel('Payload format').selectOption('Envelope (default)');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'Template' }).waitFor({ state: 'detached' });
    });
  });
}
