import type { SubmissionOut } from '@svcforms/contracts';
import { addWebhook, createForm, createFormWithWebhook, sendInbound } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { deliveriesOf, deliveriesPath, storedDeliveries } from '../deliveries.ts';
import { eventOf } from '../event.ts';
import type { Product } from '../stack.ts';

type Submitted = { submissionId: string };

export function submissionScenarios(product: () => Product): void {
  describe('a submission', () => {
    it('by a visitor emits form.submission.new and no submission.created', async () => {
      const { client, visitor, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const form = await createForm(client);
      const onNew = await addWebhook(client, form.id, { url: `${webhookEndpoint.url}/new` });
      const created = await addWebhook(client, form.id, {
        url: `${webhookEndpoint.url}/made`,
        events: ['submission.created'],
      });
      const response = await visitor.post<Submitted>(`/api/forms/${form.id}/submissions`, {
        body: { data: { email: 'ada@example.com', stranger: 1 }, page: 'https://example.com/pricing' },
        headers: { origin: 'https://example.com' },
        expect: 201,
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      const event = eventOf(await webhookEndpoint.waitFor(({ path }) => path === '/new'));
      expect(event).toEqual({
        eventType: 'form.submission.new',
        formId: form.id,
        submissionId: response.body.data.submissionId,
        timestamp: expect.any(String),
        data: { email: 'ada@example.com' },
        metadata: { submittedVia: 'web', page: 'https://example.com/pricing' },
      });
      expect(await storedDeliveries(client, onNew, 1)).toHaveLength(1);
      expect(await deliveriesOf(client, created)).toEqual([]);
    });

    it.each([
      ['by a visitor', 'web'],
      ['by another system', 'inbound'],
    ])('%s includes IP address and user agent only when the form asks for them', async (_, submittedVia) => {
      const { client, visitor, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const metadataOf = async (form: object) => {
        const created = await createFormWithWebhook(client, webhookEndpoint.url, { form });
        const { id } = created.form;
        const data = { email: 'ada@example.com' };
        const headers = {
          authorization: `Bearer ${created.inbound.token}`,
          'user-agent': 'a robot of ours',
          'x-forwarded-for': '203.0.113.99',
        };
        await (submittedVia === 'web'
          ? visitor.post(`/api/forms/${id}/submissions`, { body: { data }, headers, expect: 201 })
          : visitor.post(`/api/inbound/${id}`, { body: data, headers, expect: 202 }));
        return eventOf(await webhookEndpoint.waitFor((received) => eventOf(received).formId === id)).metadata;
      };
      const metadata = await metadataOf({
        settings: { metadata: { includeIp: true, includeUserAgent: true } },
      });
      expect(metadata).toEqual({ submittedVia, ipAddress: expect.any(String), userAgent: 'a robot of ours' });
      expect(isIP(String(metadata?.['ipAddress']))).not.toBe(0);
      // The client sent this address in a header.
      expect(metadata?.['ipAddress']).not.toBe('203.0.113.99');
      expect(await metadataOf({})).toEqual({ submittedVia });
    });

    it('with a filled honeypot field gets the usual response and is not stored', async () => {
      const { client, visitor } = product();
      const { id } = await createForm(client);
      const response = await visitor.post<Submitted>(`/api/forms/${id}/submissions`, {
        body: { data: { email: 'ada@example.com' }, hp: 'buy now' },
        expect: 201,
      });
      await client.get(`/api/submissions/${response.body.data.submissionId}`, { expect: 404 });
    });

    it('with invalid values is rejected with a pointer to each of them', async () => {
      const { client, visitor } = product();
      const { id } = await createForm(client);
      const body = { data: { email: 'nowhere' } };
      const response = await visitor.post(`/api/forms/${id}/submissions`, { body, expect: 422 });
      expect(response.body.errors?.map((error) => error.pointer)).toEqual(['/data/email']);
    });

    it('is accepted only from the allowed origins of the form', async () => {
      const { client, visitor } = product();
      const { id } = await createForm(client, { settings: { allowedOrigins: ['https://www.example.com'] } });
      const statusFrom = async (origin: string | undefined) => {
        const body = { data: { email: 'a@example.com' } };
        return (await visitor.post(`/api/forms/${id}/submissions`, { body, headers: { origin } })).status;
      };
      expect(await statusFrom('https://www.example.com')).toBe(201);
      expect(await statusFrom('https://example.com')).toBe(403);
      expect(await statusFrom(undefined)).toBe(403);
    });
  });

  describe('a form with spam protection', () => {
    it('keeps what a script sends in quarantine, and sends one event when it is released', async () => {
      const { client, visitor, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const blocked = `spam@${randomUUID()}.example`;
      const spam = { isEnabled: true, blockList: [blocked] };
      const { form, inbound, webhook } = await createFormWithWebhook(client, webhookEndpoint.url, {
        form: { settings: { spam, metadata: { includeUserAgent: true } } },
      });
      const path = `/api/forms/${form.id}/submissions`;
      const send = async (email: string) =>
        (
          await visitor.post<Submitted>(path, {
            body: { data: { email }, page: 'https://example.com/', elapsedMs: 60_000 },
            headers: { 'user-agent': 'a script' },
            expect: 201,
          })
        ).body.data.submissionId;
      const id = await send('ada@example.com');
      await send(blocked);
      // Inbound submissions are never judged. Its event would come after those of the others.
      await sendInbound(client, inbound, { email: blocked });
      await webhookEndpoint.waitFor(1);
      const listed = async (query: string) =>
        (await client.get<SubmissionOut[]>(path + query, { expect: 200 })).body.data;
      expect((await listed('')).map(({ metadata }) => metadata.submittedVia)).toEqual(['inbound']);
      expect((await listed('?status=quarantined')).map((each) => each.quarantineReason)).toEqual([
        'blocked_address',
        'no_token',
      ]);

      const release = () => client.post<SubmissionOut>(`/api/submissions/${id}/release`);
      const statuses = (await Promise.all(Array.from({ length: 6 }, release))).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409, 409]);
      const event = eventOf(
        await webhookEndpoint.waitFor((received) => eventOf(received).submissionId === id),
      );
      expect(event).toEqual({
        eventType: 'form.submission.new',
        formId: form.id,
        submissionId: id,
        timestamp: expect.any(String),
        data: { email: 'ada@example.com' },
        metadata: { submittedVia: 'web', page: 'https://example.com/', userAgent: 'a script' },
      });
      // The deliveries of later events are planned later.
      await sendInbound(client, inbound, { email: 'last@example.com' });
      await webhookEndpoint.waitFor((received) => eventOf(received).data['email'] === 'last@example.com');
      expect(await storedDeliveries(client, webhook, 3)).toHaveLength(3);
    });
  });

  describe('deleting a form', () => {
    it('stops everything that belongs to it, retries included', async () => {
      const { client, visitor, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint(() => ({ status: 500 }));
      const deleted = await createFormWithWebhook(client, `${webhookEndpoint.url}/deleted`);
      const other = await createFormWithWebhook(client, `${webhookEndpoint.url}/other`);
      const sent = await sendInbound(client, deleted.inbound, { email: 'a@example.com' });
      await webhookEndpoint.waitFor(({ path }) => path === '/deleted', 'the first attempt');
      await client.delete(`/api/forms/${deleted.form.id}`, { expect: 204 });

      // A delivery that starts now and is tried three times ends after the retry that must not
      // happen.
      await sendInbound(client, other.inbound, { email: 'a@example.com' });
      const attempts = (path: string) =>
        webhookEndpoint.requests.filter((request) => request.path === path).length;
      await webhookEndpoint.waitFor(() => attempts('/other') === 3, 'the last attempt of the other');
      expect(attempts('/deleted')).toBe(1);

      const form = `/api/forms/${deleted.form.id}`;
      const values = { email: 'a@example.com' };
      await sendInbound(client, deleted.inbound, values, { expect: 404 });
      await visitor.post(`${form}/submissions`, { body: { data: values }, expect: 404 });
      for (const path of [form, `${form}/inbound`, `${form}/webhooks`, deliveriesPath(deleted.webhook)]) {
        await client.get(path, { expect: 404 });
      }
      await client.get(`/api/submissions/${sent.body.data.submissionId}`, { expect: 404 });
    });
  });
}
