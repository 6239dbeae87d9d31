import type { SubmissionOut } from '@svcforms/contracts';
import { SUBMISSIONS } from '@svcforms/records';
import { openFormsApi } from '../../test/fixture.ts';
import { storeSubmissions, type StoredSubmission } from '../../test/submissions.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

const at = (minute: number) => Date.parse('2026-03-14T09:00:00.000Z') + minute * 60_000;

async function formWith(submissions: readonly StoredSubmission[]) {
  const form = await api.createForm();
  return { form, ids: await storeSubmissions(api.store, form, submissions) };
}
const list = async (formId: string, query = '') =>
  (await api.client.get<SubmissionOut[]>(`/api/forms/${formId}/submissions${query}`, { expect: 200 })).body;

describe('the list of submissions', () => {
  it('has those of the form, newest first, in pages', async () => {
    const { form, ids } = await formWith(
      Array.from({ length: 5 }, (_, n) => ({ data: { n }, at: at(n % 3) })),
    );
    await formWith([{ data: { other: true } }]);
    const all = (await list(form.id)).data;
    expect(all.map(({ data }) => data['n'])).toEqual([2, 4, 1, 3, 0]);
    expect(all[0]).toEqual({
      id: ids[2],
      formId: form.id,
      data: { n: 2 },
      metadata: { submittedVia: 'web' },
      status: 'accepted',
      createdAt: '2026-03-14T09:02:00.000Z',
    });
    const first = await list(form.id, '?limit=3');
    const second = await list(form.id, `?limit=3&cursor=${first.pagination.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(all);
    expect(second.pagination).toEqual({ nextCursor: null, limit: 3 });
  });

  it.each(['', '&q=x'])('has pages of about 8 MB if submissions are large%s', async (search) => {
    const text = 'x'.repeat(1024 * 1024);
    const { form } = await formWith(Array.from({ length: 12 }, (_, n) => ({ data: { n, text }, at: at(n) })));
    const first = await list(form.id, `?limit=100${search}`);
    expect(first.data.map(({ data }) => data['n'])).toEqual([11, 10, 9, 8, 7, 6, 5]);
    const second = await list(form.id, `?limit=100${search}&cursor=${first.pagination.nextCursor}`);
    expect(first.data.length + second.data.length).toBe(12);
    expect(second.pagination.nextCursor).toBeNull();
  });

  it('is filtered by time and source', async () => {
    const { form } = await formWith([
      { data: { n: 0 }, at: at(0), via: 'inbound' },
      { data: { n: 1 }, at: at(1) },
      { data: { n: 2 }, at: at(2), via: 'inbound' },
      { data: { n: 3 }, at: at(3) },
    ]);
    const found = async (query: string) => (await list(form.id, query)).data.map(({ data }) => data['n']);
    expect(await found('?since=2026-03-14T09:01:00Z')).toEqual([3, 2, 1]);
    expect(await found('?until=2026-03-14T09:01:00Z')).toEqual([0]);
    expect(await found('?since=2026-03-14T10:01:00%2B01:00&until=2026-03-14T09:03:00Z')).toEqual([2, 1]);
    expect(await found('?via=inbound')).toEqual([2, 0]);
    expect(await found('?via=web&since=2026-03-14T09:02:00Z')).toEqual([3]);
    expect(await found('?via=task')).toEqual([]);
  });

  it('finds a text in any value and in any case, but not in names of fields', async () => {
    const { form } = await formWith([
      { data: { email: 'Ada@Example.com' } },
      { data: { ada: 'x' } },
      { data: { note: 'Gruß von ADA', tags: ['a'] } },
      { data: { deep: { list: [{ who: 'ada' }] } } },
      { data: { n: 42.5, ok: true, none: null } },
    ]);
    const found = async (q: string) => (await list(form.id, `?q=${encodeURIComponent(q)}`)).data.length;
    expect(await found('ada')).toBe(3);
    expect(await found(' ADA@EXAMPLE')).toBe(1);
    expect(await found('gruß')).toBe(1);
    expect(await found('42.5')).toBe(1);
    expect(await found('null')).toBe(0);
    expect(await found('"')).toBe(0);
    expect(await found('')).toBe(5);
  });

  it('searches until the page is full, and the next page continues there', async () => {
    const { form } = await formWith(
      Array.from({ length: 600 }, (_, n) => ({
        data: { text: n % 200 === 7 ? 'needle' : 'hay', n },
        at: at(n),
      })),
    );
    const first = await list(form.id, '?q=needle&limit=2');
    expect(first.data.map(({ data }) => data['n'])).toEqual([407, 207]);
    const second = await list(form.id, `?q=needle&limit=2&cursor=${first.pagination.nextCursor}`);
    expect(second.data.map(({ data }) => data['n'])).toEqual([7]);
    expect(second.pagination.nextCursor).toBeNull();
  });

  it.each([
    ['?since=yesterday', '/since'],
    ['?since=2026-03-14', '/since'],
    ['?since=2026-03-14T00:00:00Z&until=2026-03-14T00:00:00Z', '/until'],
    ['?via=mail', '/via'],
    ['?page=2', '/page'],
    ['?cursor=x', '/cursor'],
    [`?q=${'x'.repeat(201)}`, '/q'],
  ])('refuses %s', async (query, pointer) => {
    const { form } = await formWith([]);
    const response = await api.client.get(`/api/forms/${form.id}/submissions${query}`, { expect: 422 });
    expect(response.body.errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it('of another account is 404', async () => {
    const { form } = await formWith([{ data: {} }]);
    expect((await api.stranger.get(`/api/forms/${form.id}/submissions`)).status).toBe(404);
    expect((await api.stranger.get(`/api/forms/${form.id}/submissions/export`)).status).toBe(404);
  });
});

describe('deleting a submission', () => {
  it('deletes that one, only for its own account', async () => {
    const { form, ids } = await formWith([{ data: { n: 0 } }, { data: { n: 1 } }]);
    const path = `/api/submissions/${ids[0]}`;
    expect((await api.stranger.delete(path)).status).toBe(404);
    await api.client.delete(path, { expect: 204 });
    expect((await api.client.get(path)).status).toBe(404);
    expect((await api.client.delete(path)).status).toBe(404);
    expect((await list(form.id)).data.map(({ id }) => id)).toEqual([ids[1]]);
    expect(await api.store.collection(SUBMISSIONS).count({ formId: form.id })).toBe(1);
  });
});
