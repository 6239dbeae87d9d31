import { ExportQuery, type SubmissionOut } from '@svcforms/contracts';
import type { Filter, FindOptions } from '@svcforms/document-store';
import { watchFinds } from '@svcforms/document-store/testing';
import { createSearchLimiter, route } from '@svcforms/http';
import { startTestHost } from '@svcforms/http/testing';
import { FORMS, SUBMISSIONS, type FormRecord, type SubmissionRecord } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { createExport } from './export-submissions.ts';
import { storeSubmissions, type StoredSubmission } from '../../test/submissions.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));

async function formWith(submissions: readonly StoredSubmission[], fields: object[] = []) {
  const form = await api.createForm({ fields });
  return { form, ids: await storeSubmissions(api.store, form, submissions) };
}
const exported = (formId: string, query = '') =>
  api.client.get(`/api/forms/${formId}/submissions/export${query}`, { expect: 200 });
const lines = (text: string) => text.split('\n').filter((line) => line !== '');

const email = { name: 'email', type: 'email' };
const tags = { name: 'tags', type: 'checkboxes', options: [{ value: 'a' }, { value: 'b' }] };

describe('the export as CSV', () => {
  it('has a column for each field, and one for values without a field', async () => {
    const { form, ids } = await formWith(
      [
        {
          data: { email: 'ada@example.com', tags: ['a', 'b'], utm: { source: 'x' } },
          via: 'inbound',
          metadata: { ipAddress: '203.0.113.7', userAgent: 'curl', page: 'https://a.example/' },
        },
        { data: { tags: [] }, at: 1 },
      ],
      [email, tags],
    );
    const { headers, text } = await exported(form.id, '?format=csv');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${form.id}.csv"`);
    expect(text).toBe(
      [
        'id,createdAt,submittedVia,ipAddress,userAgent,page,taskId,resolvedBy,email,tags,other',
        `${ids[1]},1970-01-01T00:00:00.001Z,web,,,,,,,,`,
        `${ids[0]},1970-01-01T00:00:00.000Z,inbound,203.0.113.7,curl,https://a.example/,,,ada@example.com,"a, b","{""utm"":{""source"":""x""}}"`,
        '',
      ].join('\r\n'),
    );
    expect((await exported(form.id)).text).toBe(text);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30 1', "'+49 30 1"],
    ['-2', "'-2"],
    [-2, '-2'],
    [-1e21, '-1e+21'],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['\rx', '"\'\rx"'],
    ['=cmd|"/c calc"!A1', '"\'=cmd|""/c calc""!A1"'],
    ['a=b', 'a=b'],
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['two\rlines', '"two\rlines"'],
    [4.5, '4.5'],
    [true, 'true'],
    [null, ''],
    ['', ''],
    ["'", "'"],
    [[1, { a: 2 }], '"[1,{""a"":2}]"'],
  ])('writes %j as %s', async (value, cell) => {
    const { form } = await formWith([{ data: { value } }], [{ name: 'value', type: 'text' }]);
    const { text } = await exported(form.id);
    expect(text.slice(text.indexOf('\r\n') + 2)).toMatch(/^sub_\w+,[^,]+,web,,,,,,/);
    expect(text.slice(text.indexOf('\r\n') + 2).replace(/^sub_\w+,[^,]+,web,,,,,,/, '')).toBe(`${cell},\r\n`);
  });

  it('has two columns for a consent, none for content, and is not searched for texts of consents', async () => {
    const text = 'I accept, "really", the [terms](https://example.com)';
    const fields = [
      { name: 'intro', type: 'heading', label: 'Hello' },
      email,
      { name: 'terms', type: 'consent', label: text },
    ];
    const { form } = await formWith([], fields);
    const submit = (data: object) =>
      api.client.post(`/api/forms/${form.id}/submissions`, { body: { data }, expect: 201 });
    await submit({ email: 'ada@example.com', terms: { accepted: true, text }, intro: 'x' });
    await submit({ terms: false });
    const [header, ...rows] = (await exported(form.id)).text.trim().split('\r\n');
    expect(header?.split(',').slice(8)).toEqual(['email', 'terms', 'terms (text)', 'other']);
    const quoted = `"${text.replaceAll('"', '""')}"`;
    const cells = rows.map((row) => row.slice(row.indexOf(',web,') + ',web,,,,,,'.length));
    expect(cells.sort()).toEqual([`ada@example.com,true,${quoted},`, `,false,${quoted},`].sort());
    const found = await api.client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions?q=accept`);
    expect(found.body.data).toEqual([]);
    const all = await api.client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`);
    expect(all.body.data.map(({ data }) => data)).toEqual(
      expect.arrayContaining([{ email: 'ada@example.com', terms: { accepted: true, text } }]),
    );
    const stale = { data: { terms: { accepted: true, text: 'Older' } } };
    const refused = await api.client.post(`/api/forms/${form.id}/submissions`, { body: stale, expect: 422 });
    expect(refused.body.errors?.[0]?.pointer).toBe('/data/terms');
  });

  it('keeps fields apart from its own columns', async () => {
    const fields = [
      { name: 'id', type: 'text' },
      { name: 'data.id', type: 'text' },
      { name: 'other', type: 'text' },
    ];
    const { form } = await formWith([{ data: { id: '1', 'data.id': '2', other: '3' } }], fields);
    const [header, row] = (await exported(form.id)).text.split('\r\n');
    expect(header).toMatch(/,taskId,resolvedBy,data\.data\.id,data\.id,data\.other,other$/);
    expect(row).toMatch(/,1,2,3,$/);
  });

  it('of a form without submissions is only the header', async () => {
    const { form } = await formWith([], [email]);
    expect((await exported(form.id)).text).toBe(
      'id,createdAt,submittedVia,ipAddress,userAgent,page,taskId,resolvedBy,email,other\r\n',
    );
  });
});

describe('the export as NDJSON', () => {
  it('has one submission per line, as in the list', async () => {
    const { form } = await formWith([{ data: { a: '=1' } }, { data: { 'b.c': [1, { d: '\n' }] }, at: 1 }]);
    const { headers, text } = await exported(form.id, '?format=ndjson');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    const list = await api.client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions`);
    expect(lines(text).map((line) => JSON.parse(line) as unknown)).toEqual(list.body.data);
  });

  it('has only the submissions that match the query', async () => {
    const { form } = await formWith(
      Array.from({ length: 1200 }, (_, n) => ({ data: { n, even: n % 2 === 0 ? 'yes' : 'no' }, at: n })),
    );
    const numbers = async (query: string) =>
      lines((await exported(form.id, `?format=ndjson${query}`)).text).map(
        (line) => (JSON.parse(line) as SubmissionOut).data['n'],
      );
    expect(await numbers('')).toEqual(Array.from({ length: 1200 }, (_, n) => 1199 - n));
    expect(await numbers('&q=yes&since=1970-01-01T00:00:01.194Z')).toEqual([1198, 1196, 1194]);
    expect(await numbers('&until=1970-01-01T00:00:00.002Z')).toEqual([1, 0]);
  });

  it('contains each submission that existed when it began once, and none that arrives later', async () => {
    const text = 'x'.repeat(20_000);
    const { form, ids } = await formWith(Array.from({ length: 1500 }, (_, n) => ({ data: { text }, at: n })));
    const response = await fetch(`${api.host.url}/api/forms/${form.id}/submissions/export?format=ndjson`, {
      headers: { authorization: `Bearer ${api.key}` },
    });
    const reader = response.body?.getReader();
    const chunks = [(await reader?.read())?.value ?? new Uint8Array()];
    // The reader waits, so most of it isn't made yet.
    await storeSubmissions(
      api.store,
      form,
      Array.from({ length: 50 }, (_, n) => ({ data: {}, at: 1_490 + n })),
    );
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      chunks.push(next.value);
    const found = lines(Buffer.concat(chunks).toString()).map(
      (line) => (JSON.parse(line) as SubmissionOut).id,
    );
    expect(new Set(found).size).toBe(found.length);
    expect(found.filter((id) => ids.includes(id))).toEqual(ids.toReversed());
    expect(found).toHaveLength(1500);
  });

  it('lets other requests run between its batches', async () => {
    const { form } = await formWith(Array.from({ length: 600 }, (_, n) => ({ data: { n }, at: n })));
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const turnsOfFinds: number[] = [];
    const store = watchFinds(api.store, SUBMISSIONS, async (_, find) => {
      turnsOfFinds.push(turns);
      return find();
    });
    const host = await api.start({ store });
    const response = await host.client(api.key).get(`/api/forms/${form.id}/submissions/export`);
    clearImmediate(counting);
    expect(response.status).toBe(200);
    expect(turnsOfFinds.length).toBeGreaterThan(5);
    expect(new Set(turnsOfFinds).size).toBe(turnsOfFinds.length);
  });

  it.each(['?format=xlsx', '?format=csv&limit=5', '?since=x'])('refuses %s', async (query) => {
    const { form } = await formWith([]);
    expect((await api.client.get(`/api/forms/${form.id}/submissions/export${query}`)).status).toBe(422);
  });
});

describe('an export whose client goes away', () => {
  it('ends', async () => {
    const { form } = await formWith(
      Array.from({ length: 600 }, (_, n) => ({ data: { text: 'x'.repeat(10_000) }, at: n })),
    );
    const submissions = api.store.collection<SubmissionRecord>(SUBMISSIONS);
    let finds = 0;
    // Begins at the newest again and again, so it would never end by itself.
    const endless: typeof submissions = Object.create(submissions, {
      find: {
        value: (filter: Filter<SubmissionRecord>, { sort, limit }: FindOptions<SubmissionRecord>) => {
          finds += 1;
          return submissions.find(filter, { ...(sort && { sort }), ...(limit && { limit }) });
        },
      },
    }) as typeof submissions;
    const exportEndlessly = createExport({
      forms: api.store.collection<FormRecord>(FORMS),
      submissions: endless,
      enterExport: createSearchLimiter({ maxQueued: 0 }),
    });
    const host = await startTestHost({
      store: api.store,
      routes: [
        route({
          method: 'GET',
          path: '/api/forms/:formId/submissions/export',
          summary: 'Export',
          access: { scope: 'submissions:read' },
          query: ExportQuery,
          status: 200,
          handler: exportEndlessly,
        }),
      ],
    });
    const controller = new AbortController();
    const response = await fetch(`${host.url}/api/forms/${form.id}/submissions/export`, {
      headers: { authorization: `Bearer ${api.key}` },
      signal: controller.signal,
    });
    const reader = response.body?.getReader();
    while (finds < 10) await reader?.read();
    controller.abort();
    let last = -1;
    await poll(
      () => {
        const isOver = finds === last;
        last = finds;
        return isOver;
      },
      { what: 'the end of the export', everyMs: 200 },
    );
    const after = finds;
    await api.client.get(`/api/forms/${form.id}`, { expect: 200 });
    expect(finds).toBe(after);
  });
});
