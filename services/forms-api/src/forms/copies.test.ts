import { formDefinition, FormIn, type FormOut, type FormTemplate } from '@svcforms/contracts';
import { anyForm } from '@svcforms/contracts/testing';
import fc from 'fast-check';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const exportOf = async (formId: string) =>
  (await api.client.get<FormTemplate>(`/api/forms/${formId}/export`, { expect: 200 })).body.data;
const imported = (template: unknown) =>
  api.client.post<FormOut>('/api/forms/import', { body: template, expect: 201 });
/** What a form is, apart from where and when. */
const substance = ({ name, description, title, intro, fields, settings }: FormOut) => ({
  name,
  description,
  title,
  intro,
  fields,
  settings,
});

describe('a copy', () => {
  const draftsOf = async (of: Pick<Api['client'], 'post'>, id: string) => [
    await of.post<FormOut>('/api/forms/import?draft=true', { body: await exportOf(id), expect: 201 }),
    await of.post<FormOut>(`/api/forms/${id}/duplicate?draft=true`, { body: { name: 'Two' }, expect: 201 }),
  ];

  it('with ?draft=true is a draft, for which forms:draft is enough', async () => {
    const form = await api.createForm({ description: 'x' });
    const author = await api.clientWith(['forms:draft']);
    for (const { body, headers } of [
      ...(await draftsOf(api.client, form.id)),
      ...(await draftsOf(author, form.id)),
    ]) {
      const { id } = body.data;
      expect(body.data).toMatchObject({ version: 0, description: 'x', draft: { basedOn: 0 } });
      expect(headers.get('location')).toBe(`/api/forms/${id}`);
      expect((await api.visitor.post(`/api/forms/${id}/submissions`, { body: { data: {} } })).status).toBe(
        404,
      );
      const published = await api.client.post<FormOut>(`/api/forms/${id}/publish`, { expect: 200 });
      expect(substance(published.body.data)).toEqual({ ...substance(form), name: body.data.name });
    }
    for (const path of ['import', `${form.id}/duplicate`]) {
      const body = path === 'import' ? await exportOf(form.id) : {};
      expect(await author.post(`/api/forms/${path}`, { body })).toMatchObject({
        status: 403,
        body: { requiredScope: 'forms:write' },
      });
      expect((await api.client.post(`/api/forms/${path}?draft=yes`, { body })).status).toBe(422);
    }
  });
});

it('a draft isn’t the response to the same request that publishes', async () => {
  const headers = { 'idempotency-key': 'one key' };
  const body = { name: 'Contact' };
  for (let n = 0; n < 2; n++) {
    const { body: draft } = await api.client.post<FormOut>('/api/forms?draft=true', {
      body,
      headers,
      expect: 201,
    });
    expect(draft.data.version).toBe(0);
  }
  const published = await api.client.post('/api/forms', { body, headers });
  expect(published).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
});

describe('the export of a form', () => {
  it('is a template with the definition of the form, without ids and owner', async () => {
    const settings = { popup: { trigger: 'scroll', scrollPercent: 30, delayMs: 7 } };
    const form = await api.createForm({ description: 'x', settings });
    expect(await exportOf(form.id)).toEqual({
      template: 1,
      name: form.name,
      description: 'x',
      fields: form.fields,
      settings,
    });
  });

  it('reproduces the same form when it is imported', async () => {
    const savable = anyForm
      .map((form) => JSON.parse(JSON.stringify(form)) as object)
      .filter((form) => formDefinition(FormIn.parse(form)).issues.length === 0);
    await fc.assert(
      fc.asyncProperty(savable, async (sent) => {
        const form = (await api.client.post<FormOut>('/api/forms', { body: sent, expect: 201 })).body.data;
        const template = await exportOf(form.id);
        const again = (await imported(template)).body.data;
        expect(substance(again)).toEqual(substance(form));
        expect(again.id).not.toBe(form.id);
        expect(await exportOf(again.id)).toEqual(template);
      }),
      { numRuns: 60 },
    );
  });

  it('of another account is 404, and its form can’t be duplicated', async () => {
    const { id } = await api.createForm();
    expect((await api.stranger.get(`/api/forms/${id}/export`)).status).toBe(404);
    expect((await api.stranger.post(`/api/forms/${id}/duplicate`)).status).toBe(404);
  });
});

describe('an import', () => {
  it('creates a form, and returns its location', async () => {
    const { body, headers } = await imported({ template: 1, name: 'Bare' });
    expect(body.data).toMatchObject({ name: 'Bare', fields: [], settings: {}, version: 1 });
    expect(headers.get('location')).toBe(`/api/forms/${body.data.id}`);
    expect((await api.client.get(`/api/forms/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it('truncates the pages of a popup as every save does', async () => {
    const include = Array.from({ length: 25 }, (_, n) => ` blog/${n}${'x'.repeat(250)} `);
    const { body } = await imported({ template: 1, name: 'x', settings: { popup: { pages: { include } } } });
    const pages = body.data.settings.popup?.pages?.include;
    expect(pages).toHaveLength(20);
    expect(pages?.every((path) => path.startsWith('/blog/') && path.length === 200)).toBe(true);
  });

  it.each([
    [{ name: 'x' }, '/template'],
    [{ template: 2, name: 'x' }, '/template'],
    [{ template: '1', name: 'x' }, '/template'],
    [{ template: 1 }, '/name'],
    [{ template: 1, name: 'x', webhooks: [] }, '/webhooks'],
    [{ template: 1, name: 'x', fields: [{ name: 'a', type: 'text', lable: 'A' }] }, '/fields/0/lable'],
    [{ template: 1, name: 'x', settings: { popup: { x: 1 } } }, '/settings/popup/x'],
    [{ template: 1, name: 'x', settings: { popup: { enabled: true } } }, '/settings/popup/trigger'],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const response = await api.client.post('/api/forms/import', { body, expect: 422 });
    expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('with one Idempotency-Key creates one form, even if the first response is lost', async () => {
    const send = () =>
      api.client.post<FormOut>('/api/forms/import', {
        body: { template: 1, name: 'Once imported' },
        headers: { 'idempotency-key': 'import-1' },
        expect: 201,
      });
    const first = await send();
    await loseResponses(api.store);
    expect((await send()).body.data).toEqual(first.body.data);
  });
});

describe('a duplicate', () => {
  it('is a new form with the same definition, named as a copy', async () => {
    const form = await api.createForm({
      description: 'x',
      settings: { popup: { trigger: 'exit', delayMs: 5 } },
    });
    await api.createWebhook(form.id);
    const { body, headers } = await api.client.post<FormOut>(`/api/forms/${form.id}/duplicate`, {
      expect: 201,
    });
    expect(substance(body.data)).toEqual({ ...substance(form), name: 'Contact (copy)' });
    expect(body.data.id).not.toBe(form.id);
    expect(headers.get('location')).toBe(`/api/forms/${body.data.id}`);
    expect((await api.client.get(`/api/forms/${body.data.id}/webhooks`)).body.data).toEqual([]);
    expect((await api.client.get(`/api/forms/${form.id}`)).body.data).toEqual(form);
  });

  it('may be given a name', async () => {
    const { id } = await api.createForm();
    const { body } = await api.client.post<FormOut>(`/api/forms/${id}/duplicate`, {
      body: { name: 'Contact, Spanish' },
      expect: 201,
    });
    expect(body.data.name).toBe('Contact, Spanish');
    const refused = await api.client.post(`/api/forms/${id}/duplicate`, {
      body: { title: 'x' },
      expect: 422,
    });
    expect(refused.body.errors?.[0]?.pointer).toBe('/title');
  });

  it.each(['x'.repeat(200), '\u{1F600}'.repeat(100)])(
    'of a form with a long name has room for it',
    async (name) => {
      const { id } = await api.createForm({ name });
      const { body } = await api.client.post<FormOut>(`/api/forms/${id}/duplicate`, { expect: 201 });
      expect(body.data.name).toMatch(/^(x{193}|\u{1F600}{96}) \(copy\)$/u);
    },
  );
});

describe('the built-in templates', () => {
  const list = async (query = '') =>
    api.client.get<FormTemplate[]>(`/api/templates${query}`, { expect: 200 });

  it('can each be imported as they are', async () => {
    const { body } = await list();
    expect(body.data.length).toBeGreaterThanOrEqual(6);
    for (const template of body.data) {
      const form = (await imported(template)).body.data;
      expect(await exportOf(form.id)).toEqual(template);
      expect(form.fields.every(({ label }) => label)).toBe(true);
    }
  });

  it('are listed in pages', async () => {
    const all = (await list()).body.data.map(({ name }) => name);
    const names: string[] = [];
    let cursor = '';
    for (;;) {
      const { body, headers } = await list(`?limit=3${cursor}`);
      names.push(...body.data.map(({ name }) => name));
      if (body.pagination.nextCursor === null) break;
      cursor = `&cursor=${body.pagination.nextCursor}`;
      expect(headers.get('link')).toBe(`</api/templates?limit=3${cursor}>; rel="next"`);
    }
    expect(names).toEqual(all);
    const refused = await api.client.get('/api/templates?cursor=x', { expect: 422 });
    expect(refused.body.errors?.[0]?.pointer).toBe('/cursor');
  });
});
