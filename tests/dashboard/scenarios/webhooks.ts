import type { DeliveryOut, WebhookOut } from '@svcforms/contracts';
import { verifySvcSignature } from '@svcforms/signing';
import {
  addWebhook,
  createForm,
  poll,
  type Client,
  type WebhookEndpoint,
  type ReceivedRequest,
} from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import type { Page } from 'playwright-core';
import { promisify } from 'node:util';
import { violations } from '../../browser/accessibility.ts';
import { comeBack } from '../support/come-back.ts';
import type { Fixture } from '../support/fixture.ts';
import { splitWords } from '../support/split-words.ts';

const submit = (visitor: Client, formId: string, email: string) =>
  visitor.post(`/api/forms/${formId}/submissions`, { body: { data: { email } }, expect: 201 });

const isTest = ({ headers }: ReceivedRequest) => headers['svc-test'] === 'true';
const eventOf = ({ headers }: ReceivedRequest) => String(headers['svc-event-id']);
const holding = (text: string) => (request: ReceivedRequest) => request.rawBody.includes(text);

function isSignedBy({ headers, rawBody }: ReceivedRequest, secret: string): boolean {
  const header = String(headers['svc-signature']);
  return verifySvcSignature({ header, body: rawBody, secrets: [secret], now: Date.now() / 1000 }).ok;
}

const deliveryRows = (page: Page) =>
  page.getByRole('table', { name: 'Deliveries' }).getByRole('row').filter({ hasText: 'form.submission.new' });

/** A webhook endpoint that fails until `repair`. */
async function failingEndpoint(startEndpoint: Fixture['startEndpoint'], body: string) {
  let isRepaired = false;
  const endpoint: WebhookEndpoint = await startEndpoint(() =>
    isRepaired ? { status: 204 } : { status: 500, body },
  );
  return { endpoint, repair: () => void (isRepaired = true) };
}

export function webhooksScenarios(fixture: () => Fixture): void {
  describe('webhooks', () => {
    it('are added with a secret that is shown once, and sign a test event and a submission with it', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}`, { expected: /422/ });
      await page.getByRole('link', { name: 'Webhooks' }).click();
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      const address = dialog.getByLabel('Endpoint URL');
      await address.fill('https://10.0.0.1/hook');
      await dialog.getByLabel('decision.approved').check();
      await dialog.getByLabel('Description').fill('The <b>CRM</b>');
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByRole('alert').getByText('Request ID').waitFor();
      expect(await address.getAttribute('aria-invalid')).toBe('true');
      // The input shows the reason, so nothing else repeats it.
      await dialog.getByText('does not resolve to a public address').waitFor();
      expect(await dialog.getByText('does not resolve to a public address').count()).toBe(1);
      expect(await dialog.innerText()).not.toContain('/url');
      expect(await violations(page)).toEqual([]);
      await address.fill(`${endpoint.url}/hook`);
      await dialog.getByRole('button', { name: 'Add webhook' }).click();

      const shown = page.getByRole('dialog', { name: 'Webhook added' });
      await shown.getByText('You can’t view it here again.').waitFor();
      const secret = await shown.getByRole('textbox').inputValue();
      await shown.getByRole('button', { name: 'Copy' }).click();
      await shown.getByRole('button', { name: /^Copied/ }).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();
      const named = `${new URL(endpoint.url).host}/hook`;
      await page.getByRole('heading', { name: named, exact: true }).waitFor();
      expect(await page.title()).toContain(`${new URL(endpoint.url).host} · `);
      await page.getByText('The <b>CRM</b>').waitFor();
      expect(await page.content()).not.toContain(secret);

      const test = page.getByRole('region', { name: 'Send test event' });
      await test.getByLabel('Event type').selectOption('decision.approved');
      await test.getByRole('button', { name: 'Send test event' }).click();
      await test.getByText('Delivered.').waitFor();
      await test.getByText(/Response 200 after \d+ ms/).waitFor();
      const sample = await endpoint.waitFor(isTest, 'the sample');
      expect(isSignedBy(sample, secret)).toBe(true);
      expect(JSON.parse(sample.rawBody.toString())).toMatchObject({ eventType: 'decision.approved' });
      const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
      await rows.filter({ hasText: 'decision.approved' }).getByText('Test', { exact: true }).waitFor();
      await test.getByRole('link', { name: 'View request and response' }).click();
      await page.getByText('This is a test event. It was sent once.').waitFor();
      await page.getByRole('region', { name: 'Headers' }).getByText('Svc-Test: true').waitFor();
      expect(await page.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.goBack();

      await submit(visitor, form.id, 'ada@example.com');
      await deliveryRows(page).getByText('Delivered').waitFor();
      const delivered = await endpoint.waitFor(holding('ada@example.com'), 'the submission');
      expect(isSignedBy(delivered, secret)).toBe(true);
    });

    it('say when the next attempt is, which is now once it is due', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint(() => ({ status: 503, headers: { 'retry-after': '9000' } }));
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, 'ada@example.com');
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      const next = (text: string) => deliveryRows(page).getByRole('cell', { name: text, exact: true });
      await next('in 2 hours').waitFor();
      await page.clock.setFixedTime(Date.now() + 4 * 3_600_000);
      await page.reload();
      await next('now').waitFor();
      await deliveryRows(page).getByRole('link', { name: 'form.submission.new' }).click();
      await page.getByRole('row', { name: 'Next attempt now' }).waitFor();
    });

    it('show in view that they could not be added', async () => {
      const { client, open } = fixture();
      const form = await createForm(client);
      const page = await open(`/forms/${form.id}/webhooks`, { expected: /503|UNAVAILABLE/ });
      await page.getByRole('button', { name: 'Add webhook' }).click();
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      await dialog.getByLabel('Endpoint URL').fill('https://example.com/hook');
      const problem = { code: 'UNAVAILABLE', message: 'The store is unavailable.', status: 503 };
      await page.route('**/webhooks', (route) =>
        route.request().method() === 'POST'
          ? route.fulfill({ status: 503, json: problem })
          : route.continue(),
      );
      const alert = dialog.getByRole('alert');
      const isInView = () =>
        alert.evaluate((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        });
      // The button is below the fields.
      const add = dialog.getByRole('button', { name: 'Add webhook' });
      await dialog.getByLabel('form.submission.new').uncheck();
      await add.click();
      await alert.getByText('Some values are invalid.').waitFor();
      await poll(isInView, { what: 'that values are invalid, in view' });
      await dialog.getByLabel('form.submission.new').check();
      await alert.waitFor({ state: 'detached' });
      await add.click();
      await alert.getByText('The store is unavailable.').waitFor();
      await poll(isInView, { what: 'the error in view' });
      expect(await violations(page)).toEqual([]);
    });

    it('say of an attempt that just happened that it did, on a page that was open before', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const lastAttempt = async (n: number, before: string | null = null) => {
        await submit(visitor, form.id, `${n}@example.com`);
        await endpoint.waitFor(n);
        return poll(
          async () => {
            const path = `/api/forms/${form.id}/webhooks/${id}`;
            const { lastAttemptAt } = (await client.get<WebhookOut>(path)).body.data;
            return lastAttemptAt !== before && lastAttemptAt;
          },
          { what: 'the attempt' },
        );
      };
      const first = await lastAttempt(1);
      const page = await open('/forms');
      // The times on a page are updated every 30 seconds.
      await page.clock.install({ time: Date.now() - 20_000 });
      await page.goto(`/forms/${form.id}/webhooks`);
      await page.locator(`time[datetime="${first}"]`).waitFor();
      await page.clock.fastForward(20_000);
      const time = page.locator(`time[datetime="${await lastAttempt(2, first)}"]`);
      await comeBack(page, time);
      expect(await time.innerText()).toBe('just now');
    });

    it('keep the parts of event types whole on a small laptop', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: (await startEndpoint()).url });
      await submit(visitor, form.id, 'ada@example.com');
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}`, {
        context: { viewport: { width: 1000, height: 768 } },
      });
      await deliveryRows(page).getByText('Delivered').waitFor();
      expect(await splitWords(page, { within: '.data-table td a', words: String.raw`\p{L}+` })).toEqual([]);
    });

    it('are edited, rotated with an overlap, disabled, enabled and deleted', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id, secret: old } = await addWebhook(client, form.id, { url: `${endpoint.url}/a` });
      const page = await open(`/forms/${form.id}/webhooks`, { expected: /404/ });
      await page.getByRole('link', { name: `${endpoint.url}/a` }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('Endpoint URL').fill(`${endpoint.url}/b`);
      await edit.getByLabel('Requests per second').fill('25');
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: `${endpoint.url}/b` }).waitFor();
      await page.getByRole('row', { name: 'Requests per second 25' }).waitFor();

      await page.getByRole('button', { name: 'Rotate secret' }).click();
      const rotate = page.getByRole('dialog', { name: 'Rotate secret' });
      await rotate.getByLabel('Keep signing with the old secret for (hours)').fill('2');
      expect(await violations(page)).toEqual([]);
      await rotate.getByRole('button', { name: 'Rotate secret' }).click();
      const shown = page.getByRole('dialog', { name: 'Secret rotated' });
      const secret = await shown.getByRole('textbox').inputValue();
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();
      await submit(visitor, form.id, 'ada@example.com');
      const request = await endpoint.waitFor(holding('ada@example.com'), 'the submission');
      expect(request.path).toBe('/b');
      expect([isSignedBy(request, old), isSignedBy(request, secret)]).toEqual([true, true]);

      await page.getByRole('switch', { name: 'Enabled' }).press('Space');
      await page.getByText('A user disabled it.').waitFor();
      await submit(visitor, form.id, 'off@example.com');
      await page.getByRole('button', { name: 'Enable webhook' }).click();
      await page.getByText('A user disabled it.').waitFor({ state: 'detached' });
      await submit(visitor, form.id, 'on@example.com');
      await endpoint.waitFor(holding('on@example.com'), 'the next submission');
      expect(endpoint.requests.filter(holding('off@example.com'))).toEqual([]);

      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('This form has no webhooks yet.').waitFor();
      await client.get(`/api/forms/${form.id}/webhooks/${id}`, { expect: 404 });
    });

    it('keep what somebody else changes while they are edited', async () => {
      const { client, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: `${endpoint.url}/a` });
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('Endpoint URL').fill(`${endpoint.url}/b`);
      const theirs = { description: 'Theirs', rateLimitPerSecond: 7, headers: { 'X-Theirs': 'kept' } };
      const path = `/api/forms/${form.id}/webhooks/${id}`;
      await client.patch(path, { body: theirs, expect: 200 });
      // The screen below the dialog has loaded the change.
      await page.getByText('Theirs').first().waitFor();
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved.', { exact: true }).waitFor();
      const { data } = (await client.get<WebhookOut>(path, { expect: 200 })).body;
      expect(data).toMatchObject({
        url: `${endpoint.url}/b`,
        description: 'Theirs',
        rateLimitPerSecond: 7,
        headers: [{ name: 'X-Theirs' }],
      });
    });

    it('are disabled and enabled at once, with an undo, and go back after a failure', async () => {
      const { client, open, startEndpoint } = fixture();
      const form = await createForm(client);
      const endpoint = await startEndpoint();
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const page = await open(`/forms/${form.id}/webhooks/${id}`, { expected: /500/ });
      const toggle = page.getByRole('switch', { name: 'Enabled' });
      const isEnabled = async () =>
        (await client.get<{ isEnabled: boolean }>(`/api/forms/${form.id}/webhooks/${id}`)).body.data
          .isEnabled;
      let respond = (): void => {};
      const path = `**/webhooks/${id}`;
      await page.route(path, async (route) => {
        if (route.request().method() !== 'PATCH') return route.fallback();
        await new Promise<void>((resolve) => {
          respond = resolve;
        });
        return route.fulfill({ status: 500, json: { message: 'The store is down.' } });
      });
      await toggle.press('Space');
      // Before the response.
      await poll(async () => !(await toggle.isChecked()), { what: 'the switch to be off' });
      respond();
      await poll(() => toggle.isChecked(), { what: 'the switch to be on again' });
      await page.getByRole('alert').filter({ hasText: 'The store is down.' }).waitFor();
      await page.unroute(path);

      await toggle.press('Space');
      await page.getByText('Webhook disabled.').waitFor();
      expect(await isEnabled()).toBe(false);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Webhook enabled.').waitFor();
      await toggle.and(page.locator(':focus')).waitFor();
      expect(await isEnabled()).toBe(true);
      expect(await toggle.isChecked()).toBe(true);
    });

    it('show why failures disabled them and what is held, and send it after they are enabled', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const { endpoint, repair } = await failingEndpoint(startEndpoint, '<b>out of</b> order');
      const form = await createForm(client);
      const webhook = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, 'first@example.com');
      await submit(visitor, form.id, 'second@example.com');
      const page = await open(`/forms/${form.id}/webhooks/${webhook.id}`);
      await page.getByText('Disabled after too many failures').waitFor();
      await page.getByText(/\d consecutive attempts failed\. The last response was 500\./).waitFor();
      await submit(visitor, form.id, 'held@example.com');
      await deliveryRows(page).getByText('Held', { exact: true }).first().waitFor();
      await page.getByRole('link', { name: 'Show held deliveries' }).click();
      await deliveryRows(page).getByText('Failed').first().waitFor({ state: 'detached' });
      expect(new URL(page.url()).search).toBe('?delivery=held');
      await page.getByLabel('Status').selectOption('Failed');
      await deliveryRows(page).getByText('Held', { exact: true }).first().waitFor({ state: 'detached' });
      await deliveryRows(page).getByRole('link').first().click();
      const attempts = page.getByRole('region', { name: 'Attempts' });
      await attempts.getByText('Attempt 3: Response 500').waitFor();
      const response = attempts.getByRole('region', { name: 'Response body of attempt 1' });
      expect(await response.innerText()).toBe('<b>out of</b> order');
      expect(await violations(page)).toEqual([]);

      await page.goBack();
      const test = page.getByRole('region', { name: 'Send test event' });
      await test.getByRole('button', { name: 'Send test event' }).click();
      await test.getByText('The response isn’t 2xx').waitFor();
      repair();
      await test.getByRole('button', { name: 'Send test event' }).click();
      await test.getByText('Delivered.').waitFor();
      await page.getByText('You can recover 3 failed or held deliveries.').waitFor();
      const before = endpoint.requests.length;
      await page.getByRole('button', { name: 'Enable webhook' }).click();
      const recovery = page.getByRole('dialog', { name: 'Recover failed deliveries' });
      await recovery.getByText('3 deliveries to recover.').waitFor();
      expect(await violations(page)).toEqual([]);
      await recovery.getByRole('button', { name: 'Recover deliveries' }).click();
      for (const email of ['first', 'second', 'held']) {
        await endpoint.waitFor(
          (request) => request.rawBody.includes(email) && endpoint.requests.indexOf(request) >= before,
          `${email}, sent again`,
        );
      }
      await page.getByLabel('Status').selectOption('All statuses');
      await deliveryRows(page).filter({ hasText: 'Delivered' }).nth(2).waitFor();
    });

    it('show the deliveries that wait for their next attempt, and retry them now', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      let isRepaired = false;
      const endpoint = await startEndpoint(() =>
        isRepaired ? { status: 204 } : { status: 503, headers: { 'Retry-After': '3600' } },
      );
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const emails = ['first@example.com', 'second@example.com', 'third@example.com'];
      for (const email of emails) await submit(visitor, form.id, email);
      await endpoint.waitFor(3);
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await deliveryRows(page).getByText('Pending').nth(2).waitFor();
      await page.getByRole('button', { name: 'Retry failing now' }).waitFor();
      await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
      const dialog = page.getByRole('dialog', { name: 'Recover failed deliveries' });
      await dialog.getByText('3 deliveries are waiting for their next attempt.').waitFor();
      expect(await violations(page)).toEqual([]);
      isRepaired = true;
      await dialog.getByRole('button', { name: 'Retry 3 now' }).click();
      for (const email of emails) {
        await endpoint.waitFor(
          (request) => holding(email)(request) && endpoint.requests.indexOf(request) >= 3,
          `${email}, retried`,
        );
      }
      await dialog.getByText('waiting for their next attempt').waitFor({ state: 'detached' });
      await dialog.press('Escape');
      await deliveryRows(page).getByText('Delivered').nth(2).waitFor();
    });

    it('read only the newest pages of a backlog to find what waits for its next attempt', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint(() => ({ status: 503, headers: { 'Retry-After': '3600' } }));
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, 'ada@example.com');
      const path = `/forms/${form.id}/webhooks/${id}`;
      await poll(async () => (await client.get<WebhookOut>(`/api${path}`)).body.data.failingSince !== null, {
        what: 'the failure',
      });
      const page = await open('/forms');
      let pages = 0;
      let isAttempted = true;
      await page.route(
        ({ searchParams }) => searchParams.get('status') === 'pending',
        async (route) => {
          pages++;
          const url = new URL(route.request().url());
          url.searchParams.delete('cursor');
          const response = await route.fetch({ url: url.href });
          const { data } = (await response.json()) as { data: DeliveryOut[] };
          const pending = isAttempted ? data : data.map((delivery) => ({ ...delivery, attempts: [] }));
          await route.fulfill({
            response,
            json: { success: true, data: pending, pagination: { nextCursor: 'more', limit: 100 } },
          });
        },
      );
      await page.goto(path);
      await page.getByText('At least 5 deliveries are waiting for their next attempt.').waitFor();
      expect(pages).toBe(5);

      isAttempted = false;
      await page.reload();
      await page.getByText('None of the newest 500 pending deliveries has had an attempt yet.').waitFor();
    });

    it('say nothing about unsaved changes when the session ends while failed deliveries are counted', async () => {
      const { client, open, newUser } = fixture();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: 'https://example.com/' });
      const page = await open(`/forms/${form.id}/webhooks/${id}`, {
        as: await newUser('admin'),
        expected: /401/,
      });
      const recover = page.getByRole('button', { name: 'Recover failed deliveries' });
      await recover.waitFor();
      await page.context().clearCookies();
      const counted = page.waitForResponse(
        (response) => response.url().endsWith('/recover') && response.status() === 401,
      );
      await recover.click();
      await counted;
      const dialog = page.getByRole('dialog', { name: 'Log in again' });
      await dialog.getByText('Your session has ended. Your input on this page is still here.').waitFor();
      expect(await dialog.getByText('your last change isn’t saved yet').count()).toBe(0);
    });

    it('retry with one click what waits for its next attempt, and what is selected', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      let isRepaired = false;
      const endpoint = await startEndpoint(() =>
        isRepaired ? { status: 204 } : { status: 503, headers: { 'Retry-After': '3600' } },
      );
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const emails = ['first@example.com', 'second@example.com', 'third@example.com'];
      for (const email of emails) await submit(visitor, form.id, email);
      await endpoint.waitFor(3);
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      const retryFailing = page.getByRole('button', { name: 'Retry failing now' });
      await page.getByText('3 deliveries are waiting for their next attempt.').waitFor();
      expect(await violations(page)).toEqual([]);
      isRepaired = true;
      await retryFailing.click();
      await deliveryRows(page).getByText('Delivered').nth(2).waitFor();
      await retryFailing.waitFor({ state: 'detached' });
      const sent = endpoint.requests.length;

      const boxes = deliveryRows(page).getByRole('checkbox', { name: /^Select delivery del_/ });
      await boxes.nth(0).check();
      await boxes.nth(2).check();
      await page.getByText('2 selected').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Retry selected' }).click();
      await endpoint.waitFor(sent + 2);
      await page.getByText('2 selected').waitFor({ state: 'detached' });
      const again = endpoint.requests.slice(sent).map(({ rawBody }) => rawBody.toString());
      expect(again.some((body) => body.includes('second@'))).toBe(false);
      // Those that are still being sent can't be selected.
      const path = `/api/forms/${form.id}/webhooks/${id}/deliveries?status=delivered`;
      await poll(async () => (await client.get<DeliveryOut[]>(path)).body.data.length === 3);
      await page.reload();
      await page.getByLabel('Select all').check();
      await page.getByText('3 selected').waitFor();
    });

    it('retry the other selected deliveries if one is refused, and keep only that one selected', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      const emails = ['first@example.com', 'second@example.com', 'third@example.com'];
      for (const email of emails) await submit(visitor, form.id, email);
      const page = await open(`/forms/${form.id}/webhooks/${id}`, { expected: /409/ });
      await deliveryRows(page).getByText('Delivered').nth(2).waitFor();
      const { body } = await client.get<DeliveryOut[]>(`/api/forms/${form.id}/webhooks/${id}/deliveries`);
      const refused = body.data[1]?.id ?? '';
      const message = 'The delivery has reached the maximum of 500 attempts';
      const redeliver = `**/deliveries/${refused}/redeliver`;
      await page.route(redeliver, (route) =>
        route.fulfill({ status: 409, json: { status: 409, code: 'CONFLICT', message } }),
      );
      await page.getByLabel('Select all').check();
      await page.getByRole('button', { name: 'Retry selected' }).click();
      await page
        .getByRole('alert')
        .getByText(`1 of 3 deliveries couldn’t be retried: ${message}`, { exact: true })
        .waitFor();
      await page.getByText('1 selected').waitFor();
      const isChosen = page.getByRole('checkbox', { name: `Select delivery ${refused}` }).isChecked();
      expect(await isChosen).toBe(true);
      await endpoint.waitFor(5);
      expect(await violations(page)).toEqual([]);

      await page.unroute(redeliver);
      await page.getByRole('button', { name: 'Retry selected' }).click();
      await endpoint.waitFor(6);
      await page.getByText('1 selected').waitFor({ state: 'detached' });
      for (const email of emails) expect(endpoint.requests.filter(holding(email))).toHaveLength(2);
    });

    it('recover the failed deliveries of a period', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const { endpoint, repair } = await failingEndpoint(startEndpoint, 'down');
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, 'ada@example.com');
      const page = await open(`/forms/${form.id}/webhooks/${id}`, { expected: /429/ });
      await deliveryRows(page).getByText('Failed').waitFor();
      repair();
      await page.route('**/recover', (route) => route.fulfill({ status: 429, body: '' }), { times: 1 });
      await page.getByRole('button', { name: 'Recover failed deliveries' }).click();
      const dialog = page.getByRole('dialog', { name: 'Recover failed deliveries' });
      await dialog.getByText('The server responded with 429.').waitFor();
      expect(await dialog.getByRole('status').textContent()).toBe('');
      await dialog.getByRole('button', { name: 'Try again' }).click();
      await dialog.getByText('1 delivery to recover.').waitFor();
      await dialog.getByLabel('Created since').fill('2020-01-01T00:00');
      await dialog.getByLabel('Created before').fill('2019-01-01T00:00');
      await dialog.getByText('Must be later than “Created since”.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Recover deliveries' }).isDisabled()).toBe(true);
      expect(await violations(page)).toEqual([]);
      await dialog.getByLabel('Created before').fill('2021-01-01T00:00');
      await dialog.getByText('No failed or held deliveries in this period.').waitFor();
      await dialog.getByLabel('Created before').fill('');
      await dialog.getByRole('button', { name: 'Recover deliveries' }).click();
      await deliveryRows(page).getByText('Delivered').waitFor();
    });

    it('show the request of a delivery, which a terminal sends in the same bytes', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id } = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, "o'neill@example.com");
      const [first] = await endpoint.waitFor(1);
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await deliveryRows(page)
        .getByText(/^\d+ ms$/)
        .waitFor();
      await deliveryRows(page).getByRole('link', { name: 'form.submission.new' }).click();
      const request = page.getByRole('region', { name: 'Request', exact: true });
      await request.getByText(`POST ${endpoint.url}`).waitFor();
      await request.getByText('"email": "o\'neill@example.com"').waitFor();
      expect(await violations(page)).toEqual([]);
      await request.getByRole('button', { name: 'Copy as curl: Request' }).click();
      await request.getByRole('button', { name: 'Copied: Request' }).waitFor();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      // The certificate of the endpoint is one of the tests.
      await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl --insecure')]);
      const [, second] = await endpoint.waitFor(2);
      expect(second!.rawBody).toEqual(first!.rawBody);
      expect(eventOf(second!)).toBe(eventOf(first!));
      expect(second!.headers['svc-signature']).toBeUndefined();
      await page.getByRole('link', { name: 'Submission', exact: true }).click();
      await page.getByText("o'neill@example.com").first().waitFor();
    });

    it('send a delivery again with the same event id and a new signature', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client);
      const { id, secret } = await addWebhook(client, form.id, { url: endpoint.url });
      await submit(visitor, form.id, 'ada@example.com');
      const [first] = await endpoint.waitFor(1);
      const page = await open(`/forms/${form.id}/webhooks/${id}`);
      await deliveryRows(page).getByText('Delivered').waitFor();
      await deliveryRows(page)
        .getByRole('button', { name: /^Retry delivery del_/ })
        .click();
      const [, second] = await endpoint.waitFor(2);
      expect(eventOf(second!)).toBe(eventOf(first!));
      expect(second!.rawBody).toEqual(first!.rawBody);
      expect(isSignedBy(second!, secret)).toBe(true);
      await deliveryRows(page).getByRole('link', { name: 'form.submission.new' }).click();
      await page.getByText('Attempt 2: Response 200').waitFor();
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      await endpoint.waitFor(3);
      await page.getByText('Attempt 3: Response 200').waitFor();
    });
  });
  describe('account webhooks', () => {
    it('are added in the settings, send events of forms and tasks, and are limited to chosen forms', async () => {
      const { client, visitor, open, startEndpoint } = fixture();
      const endpoint = await startEndpoint();
      const form = await createForm(client, { name: `Chosen ${Date.now()}` });
      const other = await createForm(client);
      const page = await open('/settings');
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.getByRole('button', { name: 'Add webhook' }).first().click();
      const dialog = page.getByRole('dialog', { name: 'Add webhook' });
      await dialog.getByLabel('Endpoint URL').fill(`${endpoint.url}/account`);
      await dialog.getByLabel('hitl.task.created').check();
      await dialog.getByLabel('Selected forms').check();
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      await dialog.getByText('Select at least one form.').waitFor();
      await dialog.getByLabel('Forms whose events are sent').and(page.locator('input')).fill(form.name);
      await page.getByRole('option', { name: form.name }).click();
      // The list of options closes.
      await dialog.getByLabel('Endpoint URL').focus();
      await page.getByRole('option').first().waitFor({ state: 'hidden' });
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Add webhook' }).click();
      const shown = page.getByRole('dialog', { name: 'Webhook added' });
      const secret = await shown.getByRole('textbox').inputValue();
      await shown.getByRole('button', { name: 'I’ve copied it' }).click();
      const named = `${new URL(endpoint.url).host}/account`;
      await page.getByRole('heading', { name: named, exact: true }).waitFor();
      expect(await page.title()).toContain(`${new URL(endpoint.url).host} · `);
      await page.getByRole('link', { name: form.name }).waitFor();
      expect(await violations(page)).toEqual([]);

      const task = { templateId: form.id, title: 'Refund', prefill: { email: 'ada@example.com' } };
      await client.post('/api/mcp/tasks', { body: task, expect: 201 });
      const created = await endpoint.waitFor(holding('hitl.task.created'), 'the task');
      expect(isSignedBy(created, secret)).toBe(true);
      await submit(visitor, other.id, 'other@example.com');
      await submit(visitor, form.id, 'chosen@example.com');
      await endpoint.waitFor(holding('chosen@example.com'), 'the submission');
      expect(endpoint.requests.filter(holding('other@example.com'))).toEqual([]);

      await page.getByLabel('Event', { exact: true }).selectOption('hitl.task.created');
      const rows = page.getByRole('table', { name: 'Deliveries' }).getByRole('row');
      await rows.getByRole('link', { name: 'hitl.task.created' }).click();
      await page.getByText('Attempt 1: Response 200').waitFor();
      await page.getByRole('link', { name: 'Back to the webhook' }).click();
      await page.getByRole('button', { name: 'Edit' }).click();
      const edit = page.getByRole('dialog', { name: 'Edit webhook' });
      await edit.getByLabel('All forms, including new ones').check();
      await edit.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('cell', { name: 'All forms, including new ones' }).waitFor();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
      await page.getByRole('link', { name: `${endpoint.url}/account` }).waitFor({ state: 'detached' });
    });

    it('are listed with the webhooks of each form whose events they get', async () => {
      const { client, open, startEndpoint } = fixture();
      const { url } = await startEndpoint();
      const form = await createForm(client);
      const other = await createForm(client);
      const events = ['form.submission.new'];
      const added: string[] = [];
      for (const body of [
        { url: `${url}/all`, events },
        { url: `${url}/chosen`, events, forms: [form.id], isEnabled: false },
        { url: `${url}/other`, events, forms: [other.id] },
      ]) {
        const { body: created } = await client.post<{ id: string }>('/api/webhooks', { body, expect: 201 });
        added.push(created.data.id);
      }
      const page = await open(`/forms/${form.id}/webhooks`);
      const section = page.getByRole('region', { name: 'Account webhooks' });
      await section
        .getByRole('row')
        .filter({ hasText: `${url}/chosen` })
        .getByText('Disabled')
        .waitFor();
      expect(await section.getByRole('link', { name: `${url}/other` }).count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await section.getByRole('link', { name: `${url}/all` }).click();
      await page.getByRole('heading', { name: `${new URL(url).host}/all` }).waitFor();
      expect(new URL(page.url()).pathname).toBe(`/settings/webhooks/${added[0]}`);
      for (const id of added) await client.delete(`/api/webhooks/${id}`, { expect: 204 });
      await page.goto(`/forms/${form.id}/webhooks`);
      await page.getByText('This form has no webhooks yet.').waitFor();
      expect(await section.count()).toBe(0);
    });
  });
}
