import type { FormOut, FormTemplate, SubmissionOut, TaskOut } from '@svcforms/contracts';
import { createForm, openInbound, sendInbound, type OpenedInbound } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, type Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

export function closingScenarios(product: () => Product): void {
  const submit = (formId: string, headers: Record<string, string> = {}) =>
    product().visitor.post<{ submissionId: string }>(`/api/forms/${formId}/submissions`, {
      body: { data: VALUES },
      headers,
    });

  const send = ({ formId, token }: OpenedInbound, headers: Record<string, string> = {}) =>
    product().visitor.post<{ submissionId: string }>(`/api/inbound/${formId}`, {
      body: VALUES,
      headers: { authorization: `Bearer ${token}`, ...headers },
    });

  const countOf = async (formId: string) => {
    let count = 0;
    for (let cursor = ''; ;) {
      const path = `/api/forms/${formId}/submissions?limit=100${cursor}`;
      const { body } = await product().client.get<SubmissionOut[]>(path, { expect: 200 });
      count += body.data.length;
      if (body.pagination.nextCursor === null) return count;
      cursor = `&cursor=${body.pagination.nextCursor}`;
    }
  };

  /** The public form, once it says whether it is closed. */
  const embedOf = async (formId: string) =>
    (await product().visitor.get(`/embed/forms/${formId}.json`)).body as unknown as {
      fields: unknown[];
      closed?: Record<string, { message: string }>;
    };

  describe('a closed form', () => {
    it.each([
      ['its switch', { isClosed: true }],
      ['its date', { closesAt: '2020-01-01T00:00:00+02:00' }],
    ])('by %s refuses submissions and still takes those of tasks', async (_, closing) => {
      const { client } = product();
      const form = await createForm(client, {
        settings: { closing: { ...closing, message: 'Come back in May.' } },
      });
      const inbound = await openInbound(client, form.id);
      const web = await submit(form.id);
      expect([web.status, web.body.code, web.body.message]).toEqual([
        403,
        'FORM_CLOSED',
        'Come back in May.',
      ]);
      const sent = await send(inbound);
      expect([sent.status, sent.body.code]).toEqual([403, 'FORM_CLOSED']);
      expect((await send({ ...inbound, token: 'svc_inb_wrong' })).status).toBe(401);
      expect(await embedOf(form.id)).toMatchObject({
        fields: [],
        closed: { fr: { message: 'Come back in May.' } },
      });

      const task = await client.post<TaskOut>('/api/mcp/tasks', {
        body: { templateId: form.id, prefill: VALUES },
        expect: 201,
      });
      const path = `/api/mcp/tasks/${task.body.data.id}/decision`;
      await client.post(path, { body: { outcome: 'approved' }, expect: 200 });
      expect(await countOf(form.id)).toBe(1);
    });

    it('speaks the language of the visitor', async () => {
      const { client } = product();
      const plain = await createForm(client, { settings: { closing: { isClosed: true } } });
      const german = await submit(plain.id, { 'accept-language': 'de' });
      expect([german.body.message, german.headers.get('content-language')]).toEqual([
        'Dieses Formular ist geschlossen.',
        'de',
      ]);
      const page = await product().visitor.get(`/f/${plain.id}?svc-lang=ar`, {
        headers: { accept: 'text/html' },
      });
      expect(page.text).toContain('هذا النموذج مغلق.');
      const own = await createForm(client, {
        settings: {
          closing: { isClosed: true, message: 'Over.' },
          translations: { de: { closedMessage: 'Vorbei.' } },
        },
      });
      expect((await submit(own.id, { 'accept-language': 'de' })).body.message).toBe('Vorbei.');
    });

    it('is saved and exported as it was sent', async () => {
      const { client } = product();
      const closing = {
        isClosed: false,
        closesAt: '2099-12-31T23:00:00+01:00',
        maxSubmissions: 5,
        message: '',
      };
      const form = await createForm(client, { settings: { closing } });
      expect(form.settings.closing).toEqual(closing);
      const put = await client.put<FormOut>(`/api/forms/${form.id}`, { body: form, expect: 200 });
      expect(put.body.data.settings).toEqual(form.settings);
      const { body: template } = await client.get<FormTemplate>(`/api/forms/${form.id}/export`);
      const copy = await client.post<FormOut>('/api/forms/import', { body: template.data, expect: 201 });
      expect(copy.body.data.settings).toEqual(form.settings);
      for (const flaw of [{ maxSubmissions: 0 }, { closesAt: 'tomorrow' }, { closed: true }])
        await client.post('/api/forms', { body: { name: 'x', settings: { closing: flaw } }, expect: 422 });
    });
  });

  describe('a form with a maximum number of submissions', () => {
    it('accepts exactly that many of 300 parallel posts', async () => {
      const { client } = product();
      const max = 40;
      const form = await createForm(client, { settings: { closing: { maxSubmissions: max } } });
      const inbound = await openInbound(client, form.id);
      const all = await Promise.all(
        Array.from({ length: 300 }, (_, n) => (n % 2 ? submit(form.id) : send(inbound))),
      );
      const statuses = all.map(({ status }) => status);
      expect(statuses.filter((status) => status < 300)).toHaveLength(max);
      expect(statuses.filter((status) => status === 403)).toHaveLength(300 - max);
      expect(all.every(({ status, body }) => status < 300 || body.code === 'FORM_CLOSED')).toBe(true);
      expect(await countOf(form.id)).toBe(max);
    });

    it('counts earlier submissions, and follows the maximum up and down', async () => {
      const { client } = await openAccount(product());
      const { id } = await createForm(client);
      const inbound = await openInbound(client, id);
      for (let n = 0; n < 3; n++) expect((await submit(id)).status).toBe(201);
      const limitTo = async (maxSubmissions: number) => {
        const body = { ...(await client.get<FormOut>(`/api/forms/${id}`)).body.data };
        await client.put(`/api/forms/${id}`, {
          body: { ...body, settings: { closing: { maxSubmissions } } },
          expect: 200,
        });
      };
      const acceptedOf = async (posts: number) => {
        const all = await Promise.all(Array.from({ length: posts }, () => send(inbound)));
        return all.filter(({ status }) => status === 202).length;
      };
      await limitTo(5);
      expect(await acceptedOf(6)).toBe(2);
      await limitTo(9);
      expect(await acceptedOf(8)).toBe(4);
      await limitTo(6);
      expect(await acceptedOf(3)).toBe(0);
      await limitTo(10);
      expect(await acceptedOf(3)).toBe(1);
    });

    it('counts a repeated request once, even at the maximum', async () => {
      const { client } = product();
      const form = await createForm(client, { settings: { closing: { maxSubmissions: 2 } } });
      const inbound = await openInbound(client, form.id);
      const [web, other] = [{ 'idempotency-key': randomUUID() }, { 'idempotency-key': randomUUID() }];
      const first = await submit(form.id, web);
      expect((await submit(form.id, web)).body).toEqual(first.body);
      const last = await sendInbound(client, inbound, VALUES, { headers: other });
      expect((await send(inbound, other)).body).toEqual(last.body);
      expect((await submit(form.id)).body.code).toBe('FORM_CLOSED');
      expect((await submit(form.id, web)).status).toBe(201);
      expect(await countOf(form.id)).toBe(2);
    });

    it('accepts another submission after one is deleted', async () => {
      const { client } = product();
      const form = await createForm(client, { settings: { closing: { maxSubmissions: 3 } } });
      const ids: string[] = [];
      for (let n = 0; n < 3; n++) ids.push((await submit(form.id)).body.data.submissionId);
      expect((await submit(form.id)).status).toBe(403);
      await client.delete(`/api/submissions/${ids[1]}`, { expect: 204 });
      const deadline = Date.now() + 10_000;
      let status = 403;
      while (status === 403 && Date.now() < deadline) ({ status } = await submit(form.id));
      expect(status).toBe(201);
      expect((await submit(form.id)).status).toBe(403);
    });
  });
}
