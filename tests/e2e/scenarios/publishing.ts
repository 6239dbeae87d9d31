import type {
  AuditEntryOut,
  FormOut,
  FormVersionDetailOut,
  FormVersionOut,
  SubmissionOut,
  TaskOut,
} from '@svcforms/contracts';
import { contactForm, createForm, createFormWithWebhook, openInbound, sendInbound } from '@svcforms/test-kit';
import { randomUUID } from 'node:crypto';
import { openAccount, type Product } from '../stack.ts';

const VALUES = { email: 'ada@example.com' };

export function publishingScenarios(product: () => Product): void {
  const embedOf = async (formId: string) =>
    product().visitor.get<never>(`/embed/forms/${formId}.json`) as unknown as Promise<{
      status: number;
      body: { name: string; closed?: { message?: string } };
    }>;

  const submit = async (formId: string, expect = 201) => {
    const path = `/api/forms/${formId}/submissions`;
    const { body } = await product().visitor.post<{ submissionId: string }>(path, {
      body: { data: VALUES },
      expect,
    });
    return body;
  };

  const versionOf = async (submissionId: string) => {
    const { body } = await product().client.get<SubmissionOut>(`/api/submissions/${submissionId}`);
    return body.data.formVersion;
  };

  describe('a draft', () => {
    it('changes nothing live until it is published', async () => {
      const { client } = product();
      const created = await createForm(client);
      const path = `/api/forms/${created.id}`;
      const saved = await client.put<FormOut>(`${path}?draft=true`, {
        body: contactForm({ name: 'Second' }),
        expect: 200,
      });
      expect(saved.body.data).toMatchObject({ name: 'Second', version: 1, draft: { basedOn: 1 } });
      const live = await client.get<FormOut>(path, { expect: 200 });
      expect(live.body.data).toEqual({ ...created, draft: saved.body.data.draft });
      expect((await embedOf(created.id)).body.name).toBe('Contact');
      expect(await versionOf((await submit(created.id)).data.submissionId)).toBe(1);

      const read = await client.get<FormOut>(`${path}?draft=true`, { expect: 200 });
      expect(read.body.data).toEqual(saved.body.data);
      const published = await client.post<FormOut>(`${path}/publish`, { expect: 200 });
      expect(published.body.data).toMatchObject({ name: 'Second', version: 2 });
      expect(published.body.data).not.toHaveProperty('draft');
      expect((await client.get<FormOut>(path)).body.data).toEqual(published.body.data);
      expect((await client.get<FormOut>(`${path}?draft=true`)).body.data).toEqual(published.body.data);
      expect(await versionOf((await submit(created.id)).data.submissionId)).toBe(2);
      const again = await client.post(`${path}/publish`, { expect: 409 });
      expect(again.body.code).toBe('CONFLICT');
    });

    it('survives a PUT that publishes something else', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      await client.put(`/api/forms/${id}?draft=true`, { body: contactForm({ name: 'Draft' }), expect: 200 });
      const put = await client.put<FormOut>(`/api/forms/${id}`, {
        body: contactForm({ name: 'Live' }),
        expect: 200,
      });
      expect(put.body.data).toMatchObject({ name: 'Live', version: 2, draft: { basedOn: 1 } });
      expect((await client.get<FormOut>(`/api/forms/${id}?draft=true`)).body.data.name).toBe('Draft');
      await client.delete(`/api/forms/${id}/draft`, { expect: 204 });
      expect((await client.get<FormOut>(`/api/forms/${id}?draft=true`)).body.data.name).toBe('Live');
      await client.delete(`/api/forms/${id}/draft`, { expect: 404 });
    });

    it('is not overwritten by a caller with an outdated ETag', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const path = `/api/forms/${id}?draft=true`;
      const put = (name: string, etag: string | null) =>
        client.put<FormOut>(path, { body: contactForm({ name }), headers: { 'If-Match': etag ?? '' } });
      const first = (await client.get(path)).headers.get('etag');
      const saved = await put('One', first);
      expect([saved.status, saved.headers.get('etag')]).toEqual([200, saved.body.data.draft?.etag]);
      expect((await put('Two', first)).status).toBe(409);
      const publish = (etag: string | null) =>
        client.post(`/api/forms/${id}/publish`, { headers: { 'If-Match': etag ?? '' } });
      expect((await publish(first)).status).toBe(409);
      // Another draft, after somebody discarded the first one, isn't what the caller has seen.
      await client.delete(`/api/forms/${id}/draft`, { expect: 204 });
      const other = await client.put<FormOut>(path, { body: contactForm({ name: 'Other' }), expect: 200 });
      expect((await put('Three', saved.headers.get('etag'))).status).toBe(409);
      expect((await publish(saved.headers.get('etag'))).status).toBe(409);
      expect((await publish(other.headers.get('etag'))).status).toBe(200);
    });

    it('of a new form is visible to nobody else', async () => {
      const { client, visitor } = product();
      const body = contactForm({ name: randomUUID() });
      const { body: created } = await client.post<FormOut>('/api/forms?draft=true', { body, expect: 201 });
      const { id, version, fields } = created.data;
      expect([version, fields]).toEqual([0, body.fields]);
      const listed = await client.get<FormOut[]>(`/api/forms?q=${body.name}`);
      expect(listed.body.data.map((form) => [form.id, form.version])).toEqual([[id, 0]]);
      expect((await client.get<FormVersionOut[]>(`/api/forms/${id}/versions`)).body.data).toEqual([]);

      const { token } = await openInbound(client, id);
      expect((await embedOf(id)).status).toBe(404);
      await submit(id, 404);
      await sendInbound(client, { formId: id, token }, VALUES, { expect: 404 });
      await client.post('/api/mcp/tasks', { body: { templateId: id, prefill: VALUES }, expect: 404 });
      await visitor.post(`/api/forms/${id}/events`, { body: { type: 'shown' }, expect: 404 });

      await client.post(`/api/forms/${id}/publish`, { expect: 200 });
      expect(await versionOf((await submit(id)).data.submissionId)).toBe(1);
      await sendInbound(client, { formId: id, token }, VALUES);
    });
  });

  describe('versions of a form', () => {
    it('are kept, and one that is restored becomes the draft', async () => {
      const { client } = product();
      const first = await createForm(client, { title: 'First', settings: { submitLabel: 'Go' } });
      const path = `/api/forms/${first.id}`;
      for (const name of ['Second', 'Third'])
        await client.put(path, { body: contactForm({ name, fields: [] }), expect: 200 });

      const list = await client.get<FormVersionOut[]>(`${path}/versions`, { expect: 200 });
      expect(list.body.data.map(({ version, name, isCurrent }) => [version, name, isCurrent])).toEqual([
        [3, 'Third', true],
        [2, 'Second', false],
        [1, 'Contact', false],
      ]);
      const pages: number[] = [];
      for (let cursor = ''; ;) {
        const page = await client.get<FormVersionOut[]>(`${path}/versions?limit=1${cursor}`, { expect: 200 });
        pages.push(...page.body.data.map(({ version }) => version));
        if (page.body.pagination.nextCursor === null) break;
        cursor = `&cursor=${page.body.pagination.nextCursor}`;
      }
      expect(pages).toEqual([3, 2, 1]);
      const one = await client.get<FormVersionDetailOut>(`${path}/versions/1`, { expect: 200 });
      const { name, title, fields, settings } = first;
      expect(one.body.data).toMatchObject({ version: 1, name, title, fields, settings });
      for (const unknown of ['0', '4', 'latest'])
        await client.get(`${path}/versions/${unknown}`, { expect: 404 });

      const restored = await client.post<FormOut>(`${path}/versions/1/restore`, { expect: 200 });
      expect(restored.body.data).toMatchObject({
        name,
        title,
        fields,
        settings,
        version: 3,
        draft: { basedOn: 3 },
      });
      expect((await client.get<FormOut>(path)).body.data.name).toBe('Third');
      const published = await client.post<FormOut>(`${path}/publish`, { expect: 200 });
      const { draft: _, ...rest } = published.body.data;
      expect(rest).toEqual({ ...first, version: 4, updatedAt: rest.updatedAt });
      expect(await versionOf((await submit(first.id)).data.submissionId)).toBe(4);
    });

    it('leave a form closed that was closed after its draft was saved', async () => {
      const { client } = product();
      const form = await createForm(client);
      const path = `/api/forms/${form.id}`;
      await client.put(`${path}?draft=true`, { body: form, expect: 200 });
      const closing = { isClosed: true };
      await client.put(path, { body: { ...form, settings: { closing } }, expect: 200 });
      await client.post(`${path}/versions/1/restore`, { expect: 200 });
      const published = await client.post<FormOut>(`${path}/publish`, { expect: 200 });
      expect(published.body.data.settings).toEqual({ ...form.settings, closing });
    });

    it('are named by submissions from everywhere, and never by event bodies', async () => {
      const { client, startEndpoint } = product();
      const webhookEndpoint = await startEndpoint();
      const { form, inbound } = await createFormWithWebhook(client, webhookEndpoint.url, {
        form: { settings: { tasks: { emitSubmissionEvents: true } } },
      });
      await client.put(`/api/forms/${form.id}`, { body: form, expect: 200 });
      const { body: web } = await product().visitor.post<{ submissionId: string }>(
        `/api/forms/${form.id}/submissions`,
        { body: { data: VALUES }, expect: 201 },
      );
      const { body: sent } = await sendInbound(client, inbound, VALUES);
      const body = { templateId: form.id, prefill: VALUES };
      const task = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
      const decision = { outcome: 'approved' };
      await client.post(`/api/mcp/tasks/${task.body.data.id}/decision`, { body: decision, expect: 200 });
      await webhookEndpoint.waitFor(3, 'three submissions');
      const { body: all } = await client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`);
      expect(all.data.map(({ formVersion }) => formVersion)).toEqual([2, 2, 2]);
      expect(all.data.map(({ id }) => id)).toEqual(
        expect.arrayContaining([web.data.submissionId, sent.data.submissionId]),
      );
      for (const { rawBody } of webhookEndpoint.requests) expect(rawBody.toString()).not.toContain('ersion');
    });

    it('are in the audit log', async () => {
      const { client } = await openAccount(product());
      const { id } = await createForm(client);
      await client.put(`/api/forms/${id}?draft=true`, { body: contactForm({ name: 'New' }), expect: 200 });
      await client.post(`/api/forms/${id}/publish`, { expect: 200 });
      await client.post(`/api/forms/${id}/versions/1/restore`, { expect: 200 });
      await client.delete(`/api/forms/${id}/draft`, { expect: 204 });
      const { body } = await client.get<AuditEntryOut[]>(`/api/audit-log?target=${id}`);
      expect(body.data.map(({ action }) => action)).toEqual([
        'form.draft_discarded',
        'form.version_restored',
        'form.published',
        'form.draft_saved',
        'form.created',
      ]);
      expect(body.data[2]?.changes).toMatchObject({ name: { from: 'Contact', to: 'New' } });
    });
  });

  describe('a key with forms:draft', () => {
    it('writes drafts and nothing else', async () => {
      const { client } = product();
      const { id } = await createForm(client);
      const { body: made } = await client.post<{ key: string }>('/api/keys', {
        body: { name: 'Writer', scopes: ['forms:draft'] },
        expect: 201,
      });
      const headers = { authorization: `Bearer ${made.data.key}` };
      const { visitor } = product();
      const form = contactForm({ name: 'Proposal' });
      const path = `/api/forms/${id}`;
      await visitor.put(`${path}?draft=true`, { body: form, headers, expect: 200 });
      await visitor.get(`${path}?draft=true`, { headers, expect: 200 });
      await visitor.post(`${path}/versions/1/restore`, { headers, expect: 200 });
      await visitor.delete(`${path}/draft`, { headers, expect: 204 });
      const created = await visitor.post<FormOut>('/api/forms?draft=true', {
        body: form,
        headers,
        expect: 201,
      });

      const refused = await Promise.all([
        visitor.put(path, { body: form, headers }),
        visitor.put(`${path}?draft=false`, { body: form, headers }),
        visitor.post('/api/forms', { body: form, headers }),
        visitor.post(`/api/forms/${created.body.data.id}/publish`, { headers }),
        visitor.delete(path, { headers }),
        visitor.get(path, { headers }),
        visitor.get('/api/forms', { headers }),
        visitor.get(`${path}/submissions`, { headers }),
        visitor.post(`${path}/duplicate`, { headers }),
        visitor.post('/api/forms/import', { body: { template: 1, name: 'x' }, headers }),
      ]);
      expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
        refused.map(() => '403 INSUFFICIENT_SCOPE'),
      );
    });
  });
}
