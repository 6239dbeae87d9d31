import type { FormOut } from '@svcforms/contracts';
import { FORMS, type FormRecord } from '@svcforms/records';
import { FORM, loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

describe('a form', () => {
  it('is returned as it was sent, with its location and times', async () => {
    const settings = { submitLabel: 'Send', popup: { enabled: true, trigger: 'delay' } };
    const { body, headers } = await api.client.post<FormOut>('/api/forms', {
      body: { ...FORM, description: 'On the start page', settings },
      expect: 201,
    });
    expect(body.data).toEqual({
      id: expect.stringMatching(/^frm_/),
      accountId: api.accountId,
      ...FORM,
      description: 'On the start page',
      settings,
      createdAt: '2026-03-14T09:26:53.589Z',
      updatedAt: '2026-03-14T09:26:53.589Z',
      version: 1,
    });
    expect(headers.get('location')).toBe(`/api/forms/${body.data.id}`);
    const read = await api.client.get<FormOut>(`/api/forms/${body.data.id}`, { expect: 200 });
    expect(read.body.data).toEqual(body.data);
    expect(read.headers.get('etag')).toBe('"1"');
  });

  it('can be sent back as it was read', async () => {
    const form = await api.createForm({ description: 'x', settings: { popup: { trigger: 'scroll' } } });
    const { body } = await api.client.put<FormOut>(`/api/forms/${form.id}`, { body: form, expect: 200 });
    expect(body.data).toEqual({ ...form, version: 2, updatedAt: expect.any(String) });
  });

  it('keeps its placement in a read and a PUT, even while its popup mode is checked', async () => {
    const settings = {
      popup: { enabled: true, trigger: 'exit' as const },
      placement: 'slide-in' as const,
      position: 'top-left' as const,
    };
    const form = await api.createForm({ settings });
    const { body } = await api.client.put<FormOut>(`/api/forms/${form.id}`, { body: form, expect: 200 });
    expect(body.data.settings).toEqual(settings);
    const off = { ...form, settings: { ...settings, popup: { enabled: false } } };
    const refused = await api.client.put(`/api/forms/${form.id}`, { body: off, expect: 422 });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/settings/placement']);
  });

  it('keeps title and intro, and a PUT without them removes them', async () => {
    const texts = { title: 'Write to us', intro: 'See [us](https://example.com)' };
    const form = await api.createForm(texts);
    const put = (body: object) => api.client.put<FormOut>(`/api/forms/${form.id}`, { body, expect: 200 });
    expect((await put(form)).body.data).toMatchObject(texts);
    const { title: _, intro: __, ...rest } = form;
    const { data } = (await put(rest)).body;
    expect([data.title, data.intro]).toEqual([undefined, undefined]);
    const body = { ...form, intro: '[x](javascript:x)' };
    const refused = await api.client.put(`/api/forms/${form.id}`, { body, expect: 422 });
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/intro']);
  });

  it('is created once for one Idempotency-Key, even if the first response is lost', async () => {
    const create = () =>
      api.client.post<FormOut>('/api/forms', {
        body: { ...FORM, name: 'Once' },
        headers: { 'idempotency-key': 'form-1' },
        expect: 201,
      });
    const first = await create();
    await loseResponses(api.store);
    const again = await create();
    expect(again.headers.get('idempotency-replayed')).toBeNull();
    expect(again.body.data).toEqual(first.body.data);
    const { body } = await api.client.get<FormOut[]>('/api/forms?q=once');
    expect(body.data).toHaveLength(1);
  });

  it('is refused with texts that are not cut inside a character', async () => {
    const body = { ...FORM, intro: `[x](${'a'.repeat(99)}👋)`, [`${'b'.repeat(498)}👋`]: 1 };
    const { errors = [] } = (await api.client.post('/api/forms', { body, expect: 422 })).body;
    expect(errors).toEqual([
      {
        pointer: '/intro',
        message: expect.stringContaining(`"${'a'.repeat(99)}"; links must start with`),
      },
      { pointer: `/${'b'.repeat(498)}…`, message: expect.any(String) },
    ]);
  });

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'x', nme: 1 }, '/nme'],
    [{ name: 'x', fields: [{ name: 'a', type: 'text', lable: 'A' }] }, '/fields/0/lable'],
    [{ name: 'x', settings: { popup: { enabled: true } } }, '/settings/popup/trigger'],
    [{ name: 'x', settings: { placement: 'bar' } }, '/settings/placement'],
    [{ name: 'x', settings: { placement: 'sideways' } }, '/settings/placement'],
    [
      {
        name: 'x',
        settings: { popup: { enabled: true, trigger: 'exit' }, placement: 'bar', position: 'top-left' },
      },
      '/settings/position',
    ],
  ])('is refused with the pointer of the fault: %j', async (body, pointer) => {
    const response = await api.client.post('/api/forms', { body });
    expect({ status: response.status, errors: response.body.errors }).toEqual({
      status: 422,
      errors: [{ pointer, message: expect.any(String) }],
    });
  });
});

describe('an option with an empty value', () => {
  const choice = (type: string, name = 'size') => ({ name, type, options: [{ value: 's' }, { value: '' }] });

  it.each(['select', 'radio'])('of a %s is refused, because nobody can choose it', async (type) => {
    const body = { ...FORM, fields: [choice(type)] };
    const errors = [
      {
        pointer: '/fields/0/options/1/value',
        message: `must not be empty for the type ${type}, because an empty value is no answer`,
      },
    ];
    const { id } = await api.createForm();
    for (const query of ['', '?draft=true']) {
      const created = await api.client.post(`/api/forms${query}`, { body, expect: 422 });
      expect(created.body.errors).toEqual(errors);
      const replaced = await api.client.put(`/api/forms/${id}${query}`, { body, expect: 422 });
      expect(replaced.body.errors).toEqual(errors);
    }
  });

  it('of checkboxes is accepted, because a list can have it', async () => {
    await api.createForm({ fields: [choice('checkboxes')] });
  });

  it('stays in a form that has it, and in its copies, but not in other fields', async () => {
    const { id } = await api.createForm();
    const fields = [choice('radio')] as FormOut['fields'];
    await api.store.collection<FormRecord>(FORMS).updateOne({ _id: id }, { $set: { fields } });
    for (const query of ['', '?draft=true']) {
      const path = `/api/forms/${id}`;
      await api.client.put(`${path}${query}`, { body: { ...FORM, fields }, expect: 200 });
      const more = { ...FORM, fields: [...fields, choice('select', 'color')] };
      const refused = await api.client.put(`${path}${query}`, { body: more, expect: 422 });
      expect(refused.body.errors).toMatchObject([{ pointer: '/fields/1/options/1/value' }]);
      const copy = await api.client.post<FormOut>(`${path}/duplicate${query}`, { expect: 201 });
      expect(copy.body.data.fields).toEqual(fields);
    }
  });
});

describe('replacing a form', () => {
  it('replaces everything, and removes what the body omits', async () => {
    const form = await api.createForm({ description: 'x', settings: { submitLabel: 'Send' } });
    api.clock.now += 1_000;
    const { body, headers } = await api.client.put<FormOut>(`/api/forms/${form.id}`, {
      body: { name: 'New' },
      expect: 200,
    });
    expect(body.data).toEqual({
      id: form.id,
      accountId: api.accountId,
      name: 'New',
      fields: [],
      settings: {},
      createdAt: form.createdAt,
      updatedAt: new Date(api.clock.now).toISOString(),
      version: 2,
    });
    expect(headers.get('etag')).toBe('"2"');
    expect((await api.client.get(`/api/forms/${form.id}`)).body.data).toEqual(body.data);
  });

  it('keeps trigger parameters that the request omits, and removes those that are null', async () => {
    const popup = { trigger: 'scroll', scrollPercent: 30, delayMs: 100 };
    const { id } = await api.createForm({ settings: { popup } });
    const put = (next: object) =>
      api.client.put<FormOut>(`/api/forms/${id}`, {
        body: { ...FORM, settings: { popup: next } },
        expect: 200,
      });
    expect((await put({ trigger: 'delay' })).body.data.settings.popup).toEqual({
      ...popup,
      trigger: 'delay',
    });
    expect((await put({ trigger: 'scroll', delayMs: null })).body.data.settings.popup).toEqual({
      trigger: 'scroll',
      scrollPercent: 30,
    });
  });

  it('keeps exitSensitivityPx and mouseLeaveDelayMs while another trigger is in use', async () => {
    const popup = { trigger: 'exit', exitSensitivityPx: 35, mouseLeaveDelayMs: 0 };
    const { id } = await api.createForm({ settings: { popup } });
    const put = async (next: object) => {
      const { body } = await api.client.put<FormOut>(`/api/forms/${id}`, {
        body: { ...FORM, settings: { popup: next } },
        expect: 200,
      });
      return body.data.settings.popup;
    };
    expect(await put({ trigger: 'delay' })).toEqual({ ...popup, trigger: 'delay' });
    expect(await put({ trigger: 'exit', mouseLeaveDelayMs: 250 })).toEqual({
      ...popup,
      mouseLeaveDelayMs: 250,
    });
    const read = (await api.client.get<FormOut>(`/api/forms/${id}`)).body.data.settings.popup;
    expect(await put(read ?? {})).toEqual(read);
    expect(await put({ trigger: 'exit', exitSensitivityPx: null })).toEqual({
      trigger: 'exit',
      mouseLeaveDelayMs: 250,
    });
  });

  it.each([
    [undefined, 200],
    ['*', 200],
    ['"1"', 200],
    ['W/"1"', 200],
    ['1', 200],
    ['"7", "1"', 200],
    [' * ', 200],
    ['"2"', 409],
    ['W/"2"', 409],
    ['2', 409],
    ['1.1', 409],
    ['"0"', 409],
    ['""', 409],
    ['"7", "8"', 409],
    ['one', 422],
    ['1.', 422],
    ['"1', 422],
    ['"1",', 422],
    ['w/"1"', 422],
  ])('with If-Match %s at version 1 is %d', async (ifMatch, status) => {
    const { id } = await api.createForm();
    const response = await api.client.put(`/api/forms/${id}`, {
      body: FORM,
      headers: { 'if-match': ifMatch },
    });
    expect(response.status).toBe(status);
    if (status === 409) expect(response.body).toMatchObject({ code: 'CONFLICT', version: 1 });
    // A header has no JSON pointer.
    if (status === 422)
      expect([response.body.code, response.body.errors]).toEqual(['VALIDATION_FAILED', undefined]);
  });

  it("that was never published needs the ETag of its draft, and loses nobody's draft", async () => {
    const created = await api.client.post<FormOut>('/api/forms?draft=true', { body: FORM, expect: 201 });
    const path = `/api/forms/${created.body.data.id}`;
    const put = (query: string, name: string, tag: string | undefined) =>
      api.client.put<FormOut>(`${path}${query}`, {
        body: { ...FORM, name },
        headers: tag === undefined ? {} : { 'if-match': tag },
      });
    const read = async () => {
      const { body, headers } = await api.client.get<FormOut>(path, { expect: 200 });
      expect(headers.get('etag')).toBe(body.data.draft?.etag);
      return body.data;
    };

    const seen = await read();
    expect((await put('?draft=true', 'Theirs', undefined)).status).toBe(200);
    for (const tag of [seen.draft?.etag, '"0"']) {
      const refused = await put('', 'Mine', tag);
      expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT', version: 0 } });
    }
    const current = await read();
    expect(current.name).toBe('Theirs');
    const published = await put('', 'Mine', current.draft?.etag);
    expect(published).toMatchObject({ status: 200, body: { data: { name: 'Mine', version: 1 } } });
    expect(published.headers.get('etag')).toBe('"1"');
  });

  it('refuses a changed theme that is hard to read, and names the color', async () => {
    const form = await api.createForm();
    const put = (theme: object, expect: number) =>
      api.client.put<FormOut>(`/api/forms/${form.id}`, { body: { ...FORM, settings: { theme } }, expect });
    const refused = await put({ text: '#888888', background: '#ffffff', accent: '#ffee00' }, 422);
    expect(refused.body.errors).toEqual([
      { pointer: '/settings/theme/text', message: expect.stringContaining('3.54:1') },
      { pointer: '/settings/theme/accent', message: expect.stringContaining('at least 3:1') },
    ]);
    await put({ text: '#333333', background: '#ffffff', accent: '#0b6e4f' }, 200);
  });

  it('keeps a saved theme that is hard to read, in whatever order it is sent', async () => {
    const [text, background] = ['#888888', '#ffffff'];
    const form = await api.createForm({ settings: { theme: { text, background } } });
    const { body } = await api.client.put<FormOut>(`/api/forms/${form.id}`, {
      body: { ...FORM, name: 'Renamed', settings: { theme: { background, text } } },
      expect: 200,
    });
    expect(body.data.settings.theme).toEqual({ text, background });
    const changed = { ...FORM, settings: { theme: { background, text, radius: 4 } } };
    await api.client.put(`/api/forms/${form.id}`, { body: changed, expect: 422 });
    await api.client.put(`/api/forms/${form.id}`, { body: FORM, expect: 200 });
  });

  it('stores every setting of a theme, which export and import keep', async () => {
    const theme = {
      colorScheme: 'system',
      accent: '#0b6e4f',
      background: '#ffffff',
      text: 'rgb(20 20 20)',
      radius: 12,
      font: 'inherit',
      density: 'compact',
      width: 480,
      logo: 'https://example.com/logo.svg',
      cover: 'https://example.com/cover.jpg',
    };
    const { id } = await api.createForm();
    const body = {
      ...FORM,
      fields: [{ name: 'nps', type: 'rating', min: 0, max: 10, ratingStyle: 'numbers' }],
      settings: { theme },
    };
    const { data } = (await api.client.put<FormOut>(`/api/forms/${id}`, { body, expect: 200 })).body;
    expect(data).toMatchObject(body);
    const again = (await api.client.put<FormOut>(`/api/forms/${id}`, { body: data, expect: 200 })).body.data;
    expect(again).toEqual({ ...data, version: 3, updatedAt: expect.any(String) });
    const template = (await api.client.get(`/api/forms/${id}/export`, { expect: 200 })).body.data;
    const imported = await api.client.post<FormOut>('/api/forms/import', { body: template, expect: 201 });
    expect(imported.body.data).toMatchObject(body);
  });

  it('counts each of many concurrent saves, and loses none', async () => {
    const { id } = await api.createForm();
    const names = Array.from({ length: 8 }, (_, i) => `Name ${i}`);
    const saved = await Promise.all(
      names.map((name) => api.client.put<FormOut>(`/api/forms/${id}`, { body: { name }, expect: 200 })),
    );
    expect(saved.map(({ body }) => body.data.version).toSorted((a, b) => a - b)).toEqual(
      names.map((_, i) => i + 2),
    );
  });

  it('succeeds for one of two who read the same version', async () => {
    const { id } = await api.createForm();
    const responses = await Promise.all(
      ['a', 'b'].map((name) =>
        api.client.put(`/api/forms/${id}`, { body: { name }, headers: { 'if-match': '"1"' } }),
      ),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describe('the list of forms', () => {
  it('has those of the account, newest first, in pages', async () => {
    const own = await openFormsApi();
    const names: string[] = [];
    for (let n = 1; n <= 5; n++) {
      own.clock.now += n % 2;
      names.unshift((await own.createForm({ name: `Form ${n}` })).name);
    }
    await own.createForm({ name: 'Foreign' }, own.stranger);
    const deleted = await own.createForm({ name: 'Deleted' });
    await own.client.delete(`/api/forms/${deleted.id}`, { expect: 204 });

    const first = await own.client.get<FormOut[]>('/api/forms?limit=3');
    const rest = await own.client.get<FormOut[]>(
      `/api/forms?limit=3&cursor=${first.body.pagination.nextCursor}`,
    );
    expect([...first.body.data, ...rest.body.data].map(({ name }) => name)).toEqual(names);
    expect(rest.body.pagination).toEqual({ nextCursor: null, limit: 3 });
  });

  it.each([
    ['contact', ['CONTACT us', 'My contact']],
    ['US', ['CONTACT us']],
    ['[.]*', []],
    ['', ['Survey', 'CONTACT us', 'My contact']],
  ])('with q=%s has the forms whose name contains it, in any case', async (q, found) => {
    const own = await openFormsApi();
    for (const name of ['My contact', 'CONTACT us', 'Survey']) {
      own.clock.now += 1;
      await own.createForm({ name });
    }
    const { body } = await own.client.get<FormOut[]>(`/api/forms?q=${encodeURIComponent(q)}`);
    expect(body.data.map(({ name }) => name)).toEqual(found);
  });
});

describe('a form of another account', () => {
  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['GET', '/inbound'],
    ['POST', '/inbound'],
    ['PATCH', '/inbound'],
    ['DELETE', '/inbound'],
    ['POST', '/inbound/rotate'],
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['GET', '/webhooks/WEBHOOK'],
    ['PATCH', '/webhooks/WEBHOOK'],
    ['DELETE', '/webhooks/WEBHOOK'],
    ['GET', '/webhooks/WEBHOOK/deliveries'],
  ])('is 404: %s …%s', async (method, path) => {
    const { id } = await api.createForm();
    await api.client.post(`/api/forms/${id}/inbound`, { body: {}, expect: 201 });
    const webhook = await api.createWebhook(id);
    const bodies: Record<string, object> = {
      PUT: FORM,
      PATCH: {},
      POST: path === '/webhooks' ? { url: 'https://hooks.example', events: ['form.submission.new'] } : {},
    };
    const call = api.stranger[method.toLowerCase() as 'get'];
    const response = await call(`/api/forms/${id}${path.replace('WEBHOOK', webhook.id)}`, {
      ...(bodies[method] && { body: bodies[method] }),
    });
    expect({ status: response.status, code: response.body.code, message: response.body.message }).toEqual({
      status: 404,
      code: 'NOT_FOUND',
      message: 'There is no such form',
    });
  });
});
