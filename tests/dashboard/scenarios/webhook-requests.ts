import type { WebhookOut } from '@svcforms/contracts';
import { addWebhook, createForm, type ReceivedRequest } from '@svcforms/test-kit';
import { violations } from '../../browser/accessibility.ts';
import type { Fixture } from '../support/fixture.ts';

const KEY = 'k3y-0f-th3-3ndp01nt';
const holding = (text: string) => (request: ReceivedRequest) => request.rawBody.includes(text);

/** What a webhook adds to its requests: custom headers and a public-key signature. */
export function webhookRequestScenarios(fixture: () => Fixture): void {
  describe('custom headers of a webhook', () => {
    it('are added with their values, shown without them, replaced and removed', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/webhooks`, { expected: /422/ });
      await page.getByRole('button', { name: 'Add webhook' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      const row = (number: number) =>
        dialog.getByRole('group', { name: `Custom header ${number}`, exact: true });
      await dialog.getByLabel('Endpoint URL').fill(endpoint.url);
      const add = dialog.getByRole('button', { name: 'Add header' });
      await add.click();
      await row(1).getByLabel('Header name').fill('Host');
      await row(1).getByLabel('Header value').fill(KEY);
      await add.click();
      // The name of a new row has the focus.
      await page.keyboard.type('X-Second');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await row(2).getByText('Enter a header value.').waitFor();
      expect(await violations(page)).toEqual([]);
      await row(2).getByLabel('Header value').fill('short');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await row(1).getByText('Is set by SvcForms or by the connection').waitFor();
      expect(await row(1).getByLabel('Header name').getAttribute('aria-invalid')).toBe('true');
      await row(1).getByLabel('Header name').fill('X-Api-Key');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await page
        .getByRole('dialog', { name: 'Webhook added' })
        .getByRole('button', { name: 'I’ve copied it' })
        .click();

      const details = page.getByRole('region', { name: 'Details' });
      await details.getByRole('row', { name: 'Header X-Api-Key ••••01nt' }).waitFor();
      await details.getByRole('row', { name: 'Header X-Second ••••', exact: true }).waitFor();
      expect(await page.content()).not.toContain(KEY);
      await visitor.post(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com' } },
        expect: 201,
      });
      const first = await endpoint.waitFor(holding('ada@example.com'), 'the submission');
      expect(first.headers).toMatchObject({ 'x-api-key': KEY, 'x-second': 'short' });

      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      const value = edit.getByLabel('New value of X-Api-Key, now ••••01nt');
      expect(await value.inputValue()).toBe('');
      await value.fill('another value');
      await edit.getByRole('button', { name: 'Remove header X-Second' }).click();
      expect(await violations(page)).toEqual([]);
      await edit.getByRole('button', { name: 'Save' }).click();
      await details.getByRole('row', { name: 'Header X-Api-Key ••••alue' }).waitFor();
      await details.getByRole('row', { name: 'Header X-Second' }).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send test event' }).click();
      const test = await endpoint.waitFor(({ headers }) => headers['svc-test'] === 'true', 'the test event');
      expect(test.headers).toMatchObject({ 'x-api-key': 'another value' });
      expect(test.headers).not.toHaveProperty('x-second');
    });

    it('stay when something else of the webhook is edited', async () => {
      const { client, open, startEndpoint } = fixture();
      const form = await createForm(client);
      const { url } = await startEndpoint();
      const { id } = await addWebhook(client, form.id, { url, headers: { 'X-Api-Key': KEY } });
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('Description').fill('CRM');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'CRM' }).waitFor();
      const { body } = await client.get<WebhookOut>(`/api/forms/${form.id}/webhooks/${id}`);
      expect(body.data.headers).toEqual([{ name: 'X-Api-Key', last4: '01nt' }]);
    });
  });

  describe('the public-key signature of a webhook', () => {
    it('is switched on, with the key to copy and code that verifies it, and off', async () => {
      const { client, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByRole('switch', { name: 'Public-key signature' }).press('Space');
      expect(await violations(page)).toEqual([]);
      await edit.getByRole('button', { name: 'Save' }).click();
      const panel = page.getByRole('region', { name: 'Public-key signature' });
      const publicKey = await panel.getByLabel('Public key', { exact: true }).inputValue();
      const { body } = await client.get<WebhookOut>(`/api/forms/${form.id}/webhooks/${id}`);
      expect(body.data).toMatchObject({ isPublicKeySigned: true, publicKey });
      await panel.getByRole('button', { name: 'Copy' }).first().click();
      await panel.getByRole('button', { name: /^Copied/ }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(publicKey);
      await panel.getByText('Go', { exact: true }).click();
      await panel.getByRole('region', { name: 'Go' }).getByText('ed25519.Verify').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send test event' }).click();
      const { headers } = await endpoint.waitFor(
        (request) => request.headers['svc-test'] === 'true',
        'the test event',
      );
      expect(headers['webhook-signature']).toMatch(/ v1a,\S{88}$/);

      await page.getByRole('button', { name: 'Edit' }).click();
      await edit.getByRole('switch', { name: 'Public-key signature' }).press('Space');
      await edit.getByRole('button', { name: 'Save' }).click();
      await panel.waitFor({ state: 'detached' });
    });
  });
}
