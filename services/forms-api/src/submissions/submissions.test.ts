import type { SubmissionOut } from '@svcforms/contracts';
import { SUBMISSIONS } from '@svcforms/records';
import { BASE_URL, loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const submit = (formId: string, body: unknown, headers: Record<string, string> = {}) =>
  api.visitor.post<{ submissionId: string }>(`/api/forms/${formId}/submissions`, { body, headers });
const read = async (submissionId: string) =>
  (await api.client.get<SubmissionOut>(`/api/submissions/${submissionId}`, { expect: 200 })).body.data;
const countOf = (formId: string) => api.store.collection(SUBMISSIONS).count({ formId });

describe('a submission', () => {
  it('needs no credentials, and its account can read it as it was sent', async () => {
    const form = await api.createForm();
    const { status, body } = await submit(form.id, {
      data: { email: 'ada@example.com' },
      page: 'https://shop.example/pricing',
      elapsedMs: 900,
    });
    expect(status).toBe(201);
    expect(body.data).toEqual({ submissionId: expect.stringMatching(/^sub_/) });
    expect(await read(body.data.submissionId)).toEqual({
      id: body.data.submissionId,
      formId: form.id,
      formVersion: 1,
      data: { email: 'ada@example.com' },
      metadata: { submittedVia: 'web', page: 'https://shop.example/pricing' },
      status: 'accepted',
      createdAt: '2026-03-14T09:26:53.589Z',
    });
  });

  it('keeps every text that JSON can contain, also half a surrogate pair', async () => {
    const form = await api.createForm({ fields: [{ name: 'message', type: 'textarea' }] });
    const message = 'a\0b \ud83d c';
    const { status, body } = await submit(form.id, {
      data: { message },
      page: 'https://x.example/\0\udc00y',
    });
    expect(status).toBe(201);
    expect(await read(body.data.submissionId)).toMatchObject({
      data: { message },
      metadata: { page: 'https://x.example/y' },
    });
  });

  it('stores address and user agent only if the form says so', async () => {
    const settings = { metadata: { includeIp: true, includeUserAgent: true } };
    const form = await api.createForm({ settings });
    const headers = { 'user-agent': 'Mozilla/5.0' };
    const { body } = await submit(form.id, { data: { email: 'ada@example.com' } }, headers);
    expect((await read(body.data.submissionId)).metadata).toEqual({
      submittedVia: 'web',
      ipAddress: '127.0.0.1',
      userAgent: 'Mozilla/5.0',
    });
  });

  it.each([
    [0, '198.51.100.1, 203.0.113.7', '127.0.0.1'],
    [1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    [2, '198.51.100.1, 203.0.113.7', '198.51.100.1'],
    [1, undefined, '127.0.0.1'],
  ])('behind %d trusted proxies with %s is from %s', async (trustedProxies, forwarded, ip) => {
    const form = await api.createForm({ settings: { metadata: { includeIp: true } } });
    const host = await api.start({ trustedProxies });
    const { body } = await host.client().post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
      body: { data: { email: 'ada@example.com' } },
      headers: { 'x-forwarded-for': forwarded },
      expect: 201,
    });
    expect((await read(body.data.submissionId)).metadata.ipAddress).toBe(ip);
  });

  it('gets one message for each invalid field of any type', async () => {
    const options = [{ value: 'a' }, { value: 'b' }];
    const form = await api.createForm({
      fields: [
        { name: 'text', type: 'text', maxLength: 3 },
        { name: 'textarea', type: 'textarea', minLength: 3 },
        { name: 'email', type: 'email' },
        { name: 'tel', type: 'tel' },
        { name: 'url', type: 'url' },
        { name: 'number', type: 'number', min: 1, max: 3 },
        { name: 'date', type: 'date', min: '2026-01-01' },
        { name: 'time', type: 'time' },
        { name: 'select', type: 'select', options },
        { name: 'radio', type: 'radio', options, required: true },
        { name: 'checkboxes', type: 'checkboxes', options },
        { name: 'checkbox', type: 'checkbox', required: true },
        { name: 'rating', type: 'rating' },
        { name: 'hidden', type: 'hidden', maxLength: 1 },
      ],
    });
    const wrong = {
      text: 'long',
      textarea: 'x',
      email: 'a@b',
      tel: { a: 1 },
      url: 'javascript:alert(1)',
      number: 'x',
      date: '2025-12-31',
      time: '25:00',
      select: 'c',
      checkboxes: ['a', 'c'],
      checkbox: false,
      rating: 6,
      hidden: 'xx',
    };
    const { status, body } = await submit(form.id, { data: wrong });
    expect(status).toBe(422);
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(
      form.fields.map(({ name }) => `/data/${name}`),
    );
    expect(body.errors?.every(({ message }) => message.length > 3)).toBe(true);
  });

  it('drops values without a field, and of fields that the visitor did not see', async () => {
    const form = await api.createForm({
      fields: [
        { name: 'team', type: 'checkbox' },
        { name: 'size', type: 'number', required: true, showIf: { field: 'team', equals: true } },
      ],
    });
    const { body } = await submit(form.id, { data: { team: false, size: 4, extra: 'x' } });
    expect((await read(body.data.submissionId)).data).toEqual({ team: false });
  });

  it.each([
    [{}, '/data/email'],
    [{ email: 'nobody' }, '/data/email'],
  ])('that does not fit the fields is 422 with the pointer: %j', async (data, pointer) => {
    const form = await api.createForm();
    const { status, body } = await submit(form.id, { data });
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: [{ pointer, message: expect.any(String) }],
    });
    expect(await countOf(form.id)).toBe(0);
  });

  it('with a number too large to store is refused with its pointer', async () => {
    const form = await api.createForm({ fields: [{ name: 'order', type: 'hidden', required: true }] });
    const { status, body } = await api.visitor.post(`/api/forms/${form.id}/submissions`, {
      rawBody: '{"data":{"order":1e400}}',
      headers: { 'content-type': 'application/json' },
    });
    expect({ status, pointers: body.errors?.map(({ pointer }) => pointer) }).toEqual({
      status: 422,
      pointers: ['/data/order'],
    });
  });

  it('of a bot that fills the honeypot gets the usual response and is not stored', async () => {
    const form = await api.createForm();
    const { status, body } = await submit(form.id, { data: { email: 'nobody' }, hp: 'http://spam.example' });
    expect(status).toBe(201);
    expect(body.data.submissionId).toMatch(/^sub_/);
    expect(await countOf(form.id)).toBe(0);
    expect((await submit(form.id, { data: { email: 'ada@example.com' }, hp: '' })).status).toBe(201);
    expect(await countOf(form.id)).toBe(1);
  });

  it.each([
    [undefined, 'https://anywhere.example', 201],
    [undefined, undefined, 201],
    [['https://shop.example'], 'https://shop.example', 201],
    [['https://shop.example'], 'https://shop.example.evil.example', 403],
    [['https://shop.example'], 'http://shop.example', 403],
    [['https://shop.example'], 'null', 403],
    [['https://shop.example'], undefined, 403],
    [[], 'https://shop.example', 403],
    [[], BASE_URL, 201],
  ])('to a form for the origins %j from %s is %d', async (allowedOrigins, origin, status) => {
    const form = await api.createForm({ settings: allowedOrigins && { allowedOrigins } });
    const response = await submit(form.id, { data: { email: 'ada@example.com' } }, origin ? { origin } : {});
    expect(response.status).toBe(status);
    if (status === 403) expect(response.body.code).toBe('ORIGIN_NOT_ALLOWED');
  });

  it('with an Idempotency-Key is stored once, even if the first response is lost', async () => {
    const form = await api.createForm();
    const send = () => submit(form.id, { data: { email: 'ada@example.com' } }, { 'idempotency-key': 'k1' });
    const first = await send();
    expect((await send()).headers.get('idempotency-replayed')).toBe('true');
    await loseResponses(api.store);
    expect((await send()).body.data).toEqual(first.body.data);
    expect(await countOf(form.id)).toBe(1);
  });

  it('to an unknown form is 404', async () => {
    expect((await submit('frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', { data: {} })).status).toBe(404);
  });

  it('is 404 for another account', async () => {
    const form = await api.createForm();
    const { body } = await submit(form.id, { data: { email: 'ada@example.com' } });
    expect((await api.stranger.get(`/api/submissions/${body.data.submissionId}`)).status).toBe(404);
  });
});
