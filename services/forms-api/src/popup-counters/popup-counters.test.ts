import { newId, type FormsStatsOut, type StatsOut } from '@svcforms/contracts';
import { POPUP_COUNTERS, type PopupCounterRecord } from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const tell = (formId: string, body: unknown) => api.visitor.post(`/api/forms/${formId}/events`, { body });
const stats = async (formId: string, query = '') =>
  (await api.client.get<StatsOut>(`/api/forms/${formId}/stats${query}`, { expect: 200 })).body.data;
const ZERO = { shown: 0, converted: 0, declined: 0, submissions: 0 };

describe('a report of a popup', () => {
  it('is counted by day, next to the submissions of that day', async () => {
    const own = await openFormsApi();
    const form = await own.createForm();
    const path = `/api/forms/${form.id}`;
    const submit = () =>
      own.visitor.post(`${path}/submissions`, { body: { data: { email: 'a@example.com' } }, expect: 201 });
    const event = (type: string) => own.visitor.post(`${path}/events`, { body: { type }, expect: 204 });
    own.clock.now = Date.parse('2026-03-13T23:59:59.999Z');
    await event('shown');
    await submit();
    own.clock.now += 1;
    for (const type of ['shown', 'shown', 'converted', 'declined']) await event(type);
    await submit();
    await submit();
    const { body } = await own.client.get<StatsOut>(`${path}/stats?from=2026-03-12`, { expect: 200 });
    expect(body.data).toEqual([
      { date: '2026-03-12', ...ZERO },
      { date: '2026-03-13', ...ZERO, shown: 1, submissions: 1 },
      { date: '2026-03-14', shown: 2, converted: 1, declined: 1, submissions: 2 },
    ]);
  });

  it('has the views of a form in a page, if there are any', async () => {
    const { id } = await api.createForm();
    for (let n = 0; n < 3; n++)
      await api.visitor.post(`/api/forms/${id}/events`, { body: { type: 'viewed' }, expect: 204 });
    const { body } = await api.client.get<StatsOut>(`/api/forms/${id}/stats`, { expect: 200 });
    expect(body.data.at(-1)).toMatchObject({ ...ZERO, viewed: 3 });
    expect(body.data.at(-2)).not.toHaveProperty('viewed');
  });

  it('has the submissions after views apart from all that are stored', async () => {
    const { id } = await api.createForm();
    const send = (type: string) =>
      api.visitor.post(`/api/forms/${id}/events`, { body: { type }, expect: 204 });
    const today = async () =>
      (await api.client.get<StatsOut>(`/api/forms/${id}/stats`, { expect: 200 })).body.data.at(-1);
    expect(await today()).not.toHaveProperty('submitted');
    await send('viewed');
    expect(await today()).toMatchObject({ viewed: 1, submitted: 0 });
    await send('submitted');
    await send('viewed');
    expect(await today()).toMatchObject({ viewed: 2, submitted: 1, submissions: 0 });
  });

  it('can be text, as beacons send it, from any site', async () => {
    const { id } = await api.createForm();
    const response = await api.visitor.post(`/api/forms/${id}/events`, {
      rawBody: '{"type":"shown"}',
      headers: { 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example' },
    });
    expect([response.status, response.text]).toEqual([204, '']);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect((await stats(id)).at(-1)).toMatchObject({ shown: 1 });
  });

  it.each([
    [{ type: 'closed' }, 422],
    [{}, 422],
    [[], 400],
  ])('is not %j', async (body, status) => {
    const { id } = await api.createForm();
    expect((await tell(id, body)).status).toBe(status);
    expect((await stats(id)).every(({ shown }) => shown === 0)).toBe(true);
  });

  it('leaves the submissions of the same visitor their own rate limit', async () => {
    const rateLimits = {
      key: 0,
      inbound: 0,
      public: 1,
      publicNetwork: 2,
      counters: 1,
      addressesHidden: false,
    };
    const { client } = await api.start({ rateLimits });
    const visitor = client();
    const { id } = await api.createForm();
    const event = () => visitor.post(`/api/forms/${id}/events`, { body: { type: 'shown' } });
    const submit = (formId: string) =>
      visitor.post(`/api/forms/${formId}/submissions`, { body: { data: { email: 'a@example.com' } } });
    expect([(await event()).status, (await event()).status]).toEqual([204, 429]);
    expect([(await submit(id)).status, (await submit(id)).status]).toEqual([201, 429]);
    expect((await submit(newId('frm'))).status).toBe(429);
  });

  it('is counted exactly with any number of concurrent requests on two processes', async () => {
    const { id } = await api.createForm();
    const other = await api.start();
    const types = ['shown', 'shown', 'shown', 'converted', 'declined'];
    const responses = await Promise.all(
      Array.from({ length: 500 }, (_, n) =>
        (n % 2 === 0 ? api.visitor : other.client()).post(`/api/forms/${id}/events`, {
          body: { type: types[n % 5] },
        }),
      ),
    );
    expect(responses.filter(({ status }) => status !== 204)).toEqual([]);
    expect((await stats(id)).at(-1)).toMatchObject({ shown: 300, converted: 100, declined: 100 });
    expect(await api.store.collection<PopupCounterRecord>(POPUP_COUNTERS).count({ formId: id })).toBe(1);
  });

  it('of an unknown form is rejected', async () => {
    expect((await tell('frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', { type: 'shown' })).status).toBe(404);
    const form = await api.createForm();
    await api.client.delete(`/api/forms/${form.id}`, { expect: 204 });
    expect((await tell(form.id, { type: 'shown' })).status).toBe(404);
  });
});

describe('the counters of a form', () => {
  it.each([
    ['?from=2026-03-15', '/from'],
    ['?from=2026-03-15&to=2026-03-14', '/to'],
    ['?from=2026-02-30', '/from'],
    ['?to=x', '/to'],
    ['?from=2020-01-01', '/from'],
    ['?days=7', '/days'],
  ])('refuse %s', async (query, pointer) => {
    const { id } = await api.createForm();
    const response = await api.client.get(`/api/forms/${id}/stats${query}`, { expect: 422 });
    expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('of another account are 404', async () => {
    const { id } = await api.createForm();
    expect((await api.stranger.get(`/api/forms/${id}/stats`)).status).toBe(404);
  });
});

describe('the counters of several forms', () => {
  const statsOf = async (query: string, client = api.client) =>
    (await client.get<FormsStatsOut>(`/api/stats?${query}`, { expect: 200 })).body.data;

  it('are in the order of the request, each with all of its submissions, of any age', async () => {
    const own = await openFormsApi();
    const [quiet, busy] = [await own.createForm(), await own.createForm()];
    const submit = () =>
      own.visitor.post(`/api/forms/${busy.id}/submissions`, {
        body: { data: { email: 'a@example.com' } },
        expect: 201,
      });
    const shown = () =>
      own.visitor.post(`/api/forms/${busy.id}/events`, { body: { type: 'shown' }, expect: 204 });
    await submit();
    own.clock.now += 400 * 86_400_000;
    await submit();
    await shown();
    const today = new Date(own.clock.now).toISOString().slice(0, 10);
    const zero = { shown: 0, converted: 0, declined: 0 };
    expect(await statsOf(`formIds=${quiet.id},${busy.id},${quiet.id}&from=${today}`, own.client)).toEqual([
      { formId: quiet.id, totalSubmissions: 0, days: [{ date: today, ...zero }] },
      { formId: busy.id, totalSubmissions: 2, days: [{ date: today, ...zero, shown: 1 }] },
    ]);
  });

  it('leave out unknown forms, deleted ones, and those of other accounts', async () => {
    const [form, deleted] = [await api.createForm(), await api.createForm()];
    await api.client.delete(`/api/forms/${deleted.id}`, { expect: 204 });
    const ids = ['frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', deleted.id, form.id].join();
    expect((await statsOf(`formIds=${ids}`)).map(({ formId }) => formId)).toEqual([form.id]);
    expect(await statsOf(`formIds=${ids}`, api.stranger)).toEqual([]);
  });

  it.each([
    ['nothing', '', '/formIds'],
    ['no id', 'formIds=', '/formIds'],
    ['what is no id', 'formIds=frm_x', '/formIds'],
    ['an id of something else', 'formIds=sub_01J9ZC3V6M8K2Q4R5S7T9W1X3Y', '/formIds'],
    ['101 ids', `formIds=${Array.from({ length: 101 }, () => newId('frm')).join()}`, '/formIds'],
    ['a day to come', 'formIds=frm_01J9ZC3V6M8K2Q4R5S7T9W1X3Y&from=2026-03-15', '/from'],
  ])('are not those of %s', async (_, query, pointer) => {
    const response = await api.client.get(`/api/stats?${query}`, { expect: 422 });
    expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });
});
