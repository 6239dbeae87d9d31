import { newId, type FormOut, type SubmissionOut, type SubmissionTokenOut } from '@svcforms/contracts';
import { releaseOf, SUBMISSIONS, type SubmissionRecord } from '@svcforms/records';
import { poll, type Client } from '@svcforms/test-kit';
import { solveChallenge } from 'altcha-lib';
import { loseResponses, openFormsApi } from '../../test/fixture.ts';

type Api = Awaited<ReturnType<typeof openFormsApi>>;
let api: Api;
beforeAll(async () => void (api = await openFormsApi()));
// Later tests aren't in the window of earlier ones, in which the network got its free tokens.
beforeEach(() => void (api.clock.now += 3_600_000));

const BROWSER = { 'user-agent': 'Mozilla/5.0', 'accept-language': 'en', 'sec-fetch-mode': 'cors' };
const VALUES = { email: 'ada@example.com' };

const protectedForm = (settings: object = {}, overrides: object = {}) =>
  api.createForm({ ...overrides, settings: { spam: { isEnabled: true, ...settings } } });

const getToken = async ({ id }: { id: string }, headers: Record<string, string> = BROWSER) =>
  (await api.visitor.get<SubmissionTokenOut>(`/api/forms/${id}/submission-token`, { headers, expect: 200 }))
    .body.data;

async function solve({ proof }: SubmissionTokenOut): Promise<string> {
  const { promise } = solveChallenge(proof.challenge, proof.salt, proof.algorithm, proof.maxnumber);
  const { maxnumber: _, ...challenge } = proof;
  return btoa(JSON.stringify({ ...challenge, number: (await promise)?.number }));
}

/** Submits as a visitor and returns where the submission went: `accepted`, or the reason. */
async function verdictOf(
  form: FormOut,
  body: object,
  { by = api.visitor, headers = {} }: { by?: Client; headers?: Record<string, string> } = {},
): Promise<string> {
  const sent = await by.post<{ submissionId: string }>(`/api/forms/${form.id}/submissions`, {
    body: { data: VALUES, ...body },
    headers,
    expect: 201,
  });
  expect(sent.body.data).toEqual({ submissionId: expect.stringMatching(/^sub_/) });
  const { status, quarantineReason } = await read(sent.body.data.submissionId);
  return quarantineReason ?? status;
}

const read = async (submissionId: string) =>
  (await api.client.get<SubmissionOut>(`/api/submissions/${submissionId}`, { expect: 200 })).body.data;
const list = async (form: FormOut, query = '') =>
  (await api.client.get<SubmissionOut[]>(`/api/forms/${form.id}/submissions${query}`, { expect: 200 })).body;
const release = (submissionId: string, by = api.client) =>
  by.post<SubmissionOut>(`/api/submissions/${submissionId}/release`);

/** The ids of the submissions whose events were published. */
const published = async (): Promise<string[]> => {
  const ids = await api.bus.publishedSince(api.accountId, new Date(0).toISOString());
  return [...ids];
};

describe('a submission to a form with spam protection', () => {
  it('is accepted with a token that is old enough', async () => {
    const form = await protectedForm();
    const { token, isProofRequired } = await getToken(form);
    expect(isProofRequired).toBe(false);
    api.clock.now += 5_000;
    expect(await verdictOf(form, { token, elapsedMs: 5_000 })).toBe('accepted');
  });

  it('in less time needs a proof of work', async () => {
    const form = await protectedForm();
    const fast = await getToken(form);
    expect(await verdictOf(form, { token: fast.token, elapsedMs: 60_000 })).toBe('too_fast');
    const proved = await getToken(form);
    expect(await verdictOf(form, { token: proved.token, proof: await solve(proved) })).toBe('accepted');
  });

  it.each([
    ['without a token', {}, 'no_token'],
    ['with a text that is no token', { token: 'v1.0123456789abcdef.AAAA.AAAA.AAAA' }, 'no_token'],
    ['that claims a long time', { elapsedMs: 3_600_000 }, 'no_token'],
  ])('%s goes to quarantine', async (_, body, reason) => {
    expect(await verdictOf(await protectedForm(), body)).toBe(reason);
  });

  it('without a duration is judged by the age of its token', async () => {
    const form = await protectedForm();
    const { token } = await getToken(form);
    expect(await verdictOf(form, { token })).toBe('too_fast');
    const second = await getToken(form);
    api.clock.now += 5_000;
    expect(await verdictOf(form, { token: second.token })).toBe('accepted');
  });

  it('that says it took no time is suspicious even with an old token', async () => {
    const form = await protectedForm();
    const { token } = await getToken(form);
    api.clock.now += 60_000;
    expect(await verdictOf(form, { token, elapsedMs: 40 })).toBe('too_fast');
  });

  it('with the token of another form goes to quarantine', async () => {
    const { token } = await getToken(await protectedForm());
    api.clock.now += 60_000;
    expect(await verdictOf(await protectedForm(), { token, elapsedMs: 60_000 })).toBe('no_token');
  });

  it('with an expired token goes to quarantine, proof or not', async () => {
    const form = await protectedForm();
    const issued = await getToken(form);
    api.clock.now = Date.parse(issued.expiresAt) + 1;
    expect(await verdictOf(form, { token: issued.token, proof: await solve(issued) })).toBe('expired_token');
  });

  it('with the proof of another token, or none, counts as unproved', async () => {
    const form = await protectedForm();
    const [one, other] = [await getToken(form), await getToken(form)];
    for (const proof of [await solve(other), btoa('7'), btoa('{"algorithm":"MD5"}'), '%']) {
      expect(await verdictOf(form, { token: one.token, proof })).toBe('too_fast');
    }
  });

  it('uses up its token, even across processes', async () => {
    const form = await protectedForm();
    const other = (await api.start()).client();
    const { token } = await getToken(form);
    api.clock.now += 60_000;
    const send = (by: Client) => verdictOf(form, { token, elapsedMs: 60_000 }, { by });
    const verdicts = await Promise.all([api.visitor, other, api.visitor, other].map(send));
    expect(verdicts.toSorted()).toEqual(['accepted', 'reused_token', 'reused_token', 'reused_token']);
  });

  it('uses up its token for good, even if it is deleted', async () => {
    const form = await protectedForm();
    const { token } = await getToken(form);
    api.clock.now += 60_000;
    expect(await verdictOf(form, { token, elapsedMs: 60_000 })).toBe('accepted');
    const [submission] = (await list(form)).data;
    await api.client.delete(`/api/submissions/${submission?.id ?? ''}`, { expect: 204 });
    expect(await verdictOf(form, { token, elapsedMs: 60_000 })).toBe('reused_token');
  });

  it('that is repeated after a lost response is stored once and accepted', async () => {
    const form = await protectedForm();
    const { token } = await getToken(form);
    api.clock.now += 60_000;
    const send = () =>
      verdictOf(form, { token, elapsedMs: 60_000 }, { headers: { 'idempotency-key': 'lost' } });
    expect(await send()).toBe('accepted');
    await loseResponses(api.store);
    expect(await send()).toBe('accepted');
    expect((await list(form)).data).toHaveLength(1);
    expect((await list(form, '?status=quarantined')).data).toEqual([]);
  });

  it('must be proved by clients that do not look like browsers', async () => {
    const form = await protectedForm();
    const script = await getToken(form, {});
    expect(script.isProofRequired).toBe(true);
    api.clock.now += 60_000;
    expect(await verdictOf(form, { token: script.token, elapsedMs: 60_000 })).toBe('no_proof');
    const proof = await solve(script);
    expect(await verdictOf(form, { token: script.token, proof, elapsedMs: 60_000 })).toBe('accepted');
  });

  it('must be proved by networks that get many tokens, with more work the more they get', async () => {
    const form = await protectedForm();
    const issued = [];
    for (let n = 0; n < 40; n++) issued.push(await getToken(form));
    expect(issued.map(({ isProofRequired }) => isProofRequired).indexOf(true)).toBe(10);
    expect(issued.at(15)?.proof.maxnumber).toBe(100_000);
    expect(issued.at(-1)?.proof.maxnumber).toBe(150_000);
    api.clock.now += 600_001;
    expect((await getToken(form)).isProofRequired).toBe(false);
  });

  it('is judged after its values are checked, and with a filled honeypot never stored', async () => {
    const form = await protectedForm();
    const path = `/api/forms/${form.id}/submissions`;
    await api.visitor.post(path, { body: { data: { email: 'nobody' } }, expect: 422 });
    await api.visitor.post(path, { body: { data: VALUES, hp: 'x' }, expect: 201 });
    expect((await list(form, '?status=quarantined')).data).toEqual([]);
  });

  it('isn’t judged if a key of the account with the scope sends it', async () => {
    const form = await protectedForm({ blockList: ['ada@example.com'] });
    expect(await verdictOf(form, {}, { by: api.client })).toBe('accepted');
    const reader = await api.clientWith(['submissions:read']);
    expect(await verdictOf(form, {}, { by: reader })).toBe('blocked_address');
    expect(await verdictOf(form, {}, { by: api.stranger })).toBe('blocked_address');
    const headers = { authorization: `Bearer svc_key_${'x'.repeat(43)}` };
    expect(await verdictOf(form, {}, { headers })).toBe('blocked_address');
  });

  it.each([{}, { spam: { isEnabled: false, blockList: ['example.com'] } }])(
    'isn’t judged with the settings %j',
    async (settings) => expect(await verdictOf(await api.createForm({ settings }), {})).toBe('accepted'),
  );
});

describe('a block list', () => {
  const fields = [
    { name: 'email', type: 'email' },
    { name: 'message', type: 'textarea' },
    { name: 'tags', type: 'hidden' },
    { name: 'terms', type: 'consent', label: 'No casino here' },
  ];

  it.each<[string, object, string]>([
    ['spam@example.com', { email: 'SPAM@example.com' }, 'blocked_address'],
    ['spam@example.com', { message: 'Write to <spam@example.com>.' }, 'blocked_address'],
    ['spam@example.com', { email: 'nospam@example.com' }, 'no_token'],
    ['spam@example.com', { email: 'spam@example.com.br' }, 'no_token'],
    ['shop.example', { email: 'x@shop.example' }, 'blocked_domain'],
    ['@shop.example', { email: 'x@mail.shop.example' }, 'blocked_domain'],
    ['shop.example', { message: 'See https://www.shop.example/buy' }, 'blocked_domain'],
    ['shop.example', { message: 'Visit shop.example.' }, 'blocked_domain'],
    // Chromium sends the second spelling of an email address that is entered in the first one.
    ['bücher.example', { email: 'x@xn--bcher-kva.example' }, 'blocked_domain'],
    ['xn--bcher-kva.example', { message: 'https://www.Bücher.example' }, 'blocked_domain'],
    ['ada@bücher.example', { email: 'ada@xn--bcher-kva.example' }, 'blocked_address'],
    ['shop.example', { email: 'x@workshop.example' }, 'no_token'],
    ['shop.example', { email: 'x@shop.example.org' }, 'no_token'],
    ['casino', { message: 'The best CASINO!' }, 'blocked_word'],
    ['casino', { message: 'ca\u200bsino' }, 'blocked_word'],
    ['casino', { message: 'casinos' }, 'no_token'],
    ['cheap pills', { message: 'cheap\n pills' }, 'blocked_word'],
    ['casino', { tags: { deep: ['casino'] } }, 'blocked_word'],
    ['casino', { terms: true }, 'no_token'],
    ['安い薬', { message: 'とても安い薬です' }, 'blocked_word'],
    ['安い薬', { message: '安い薬' }, 'blocked_word'],
    ['安い薬', { message: '安い薬です' }, 'blocked_word'],
    ['$$$', { message: 'Earn $$$' }, 'blocked_word'],
    ['\u200b', { message: 'Hello' }, 'no_token'],
    ['\u200b', { message: '\u200b' }, 'no_token'],
    ['straße', { message: 'Straße 1' }, 'blocked_word'],
    ['127.0.0.0/8', {}, 'blocked_network'],
    ['127.0.0.1', {}, 'blocked_network'],
    ['10.0.0.0/8', {}, 'no_token'],
    ['2001:db8::/32', {}, 'no_token'],
  ])('with %j judges %j: %s', async (entry, data, reason) => {
    const form = await protectedForm({ blockList: [entry] }, { fields });
    expect(await verdictOf(form, { data })).toBe(reason);
  });

  it('blocks texts that contain every entry very often, without a search that takes long', async () => {
    const blockList = Array.from({ length: 190 }, (_, n) => 'a'.repeat(n + 1));
    const form = await protectedForm({ blockList }, { fields });
    expect(await verdictOf(form, { data: { tags: Array<string>(50).fill('a'.repeat(8_000)) } })).toBe(
      'blocked_word',
    );
  });

  it('judges long runs of accents in a short time, and words with accents', async () => {
    const form = await protectedForm({ blockList: ['caf\u00e9'] }, { fields });
    // The last two are accents of their own in Unicode's compatible form.
    for (const accents of ['\u0327\u0301', '\u0301\uff9e'])
      expect(await verdictOf(form, { data: { message: `a${accents.repeat(180_000)}` } })).toBe('no_token');
    expect(await verdictOf(form, { data: { message: 'cafe\u0301' } })).toBe('blocked_word');
  });

  it('leaves other requests their turn while a long list is searched in a long text', async () => {
    const blockList = Array.from({ length: 1000 }, (_, n) => `aaaaab${n}`);
    const form = await protectedForm({ blockList }, { fields });
    let isSearched = false;
    const search = verdictOf(form, { data: { tags: Array<string>(100).fill('a'.repeat(8_000)) } }).finally(
      () => (isSearched = true),
    );
    let others = 0;
    for (; !isSearched; others++) await api.visitor.get('/livez', { expect: 200 });
    expect(await search).toBe('no_token');
    // Without turns, a few are sent before the search.
    expect(others).toBeGreaterThan(15);
  });

  it('blocks submissions with a good token and a proof too, and applies as soon as it is saved', async () => {
    const form = await protectedForm({ blockList: ['ada@example.com'] });
    const first = await getToken(form);
    expect(await verdictOf(form, { token: first.token, proof: await solve(first) })).toBe('blocked_address');
    const settings = { spam: { isEnabled: true, blockList: [] } };
    const body = { name: form.name, fields: form.fields, settings };
    const saved = await api.client.put<FormOut>(`/api/forms/${form.id}`, { body, expect: 200 });
    expect(saved.body.data.settings).toEqual(settings);
    expect(await verdictOf(form, { token: first.token, proof: await solve(first) })).toBe('accepted');
  });

  it('is refused with a pointer to each invalid entry', async () => {
    const { body } = await api.client.post('/api/forms', {
      body: {
        name: 'x',
        settings: { spam: { isEnabled: true, blockList: ['ok', '1.2.3.4/99', '', 'a@b'] } },
      },
      expect: 422,
    });
    expect(body.errors?.map(({ pointer }) => pointer)).toEqual(
      [1, 2, 3].map((n) => `/settings/spam/blockList/${n}`),
    );
  });
});

describe('quarantined submissions', () => {
  /** One accepted submission, and three in quarantine, the newest last. */
  async function openForm() {
    const form = await protectedForm();
    const { token } = await getToken(form);
    api.clock.now += 10_000;
    await verdictOf(form, { token, elapsedMs: 9_000, data: { email: 'good@example.com' } });
    for (const name of ['a', 'b', 'c']) {
      api.clock.now += 1_000;
      await verdictOf(form, { data: { email: `${name}@spam.example` } });
    }
    return form;
  }
  const emails = ({ data }: { data: SubmissionOut[] }) => data.map((each) => each.data['email']);

  it('are listed apart, newest first, in pages, by the usual filters', async () => {
    const form = await openForm();
    expect(emails(await list(form))).toEqual(['good@example.com']);
    expect(emails(await list(form, '?status=accepted'))).toEqual(['good@example.com']);
    const all = await list(form, '?status=quarantined');
    expect(emails(all)).toEqual(['c@spam.example', 'b@spam.example', 'a@spam.example']);
    expect(all.data[0]).toMatchObject({ status: 'quarantined', quarantineReason: 'no_token' });
    const first = await list(form, '?status=quarantined&limit=2');
    expect(emails(first)).toEqual(['c@spam.example', 'b@spam.example']);
    const rest = await list(form, `?status=quarantined&limit=2&cursor=${first.pagination.nextCursor}`);
    expect(emails(rest)).toEqual(['a@spam.example']);
    expect(rest.pagination.nextCursor).toBeNull();
    const since = all.data[1]?.createdAt;
    expect(emails(await list(form, `?status=quarantined&since=${since}`))).toHaveLength(2);
    expect(emails(await list(form, `?status=quarantined&until=${since}`))).toEqual(['a@spam.example']);
    expect(emails(await list(form, '?status=quarantined&q=B@spam'))).toEqual(['b@spam.example']);
    expect(emails(await list(form, '?status=quarantined&via=inbound'))).toEqual([]);
    expect(emails(await list(form, '?q=spam'))).toEqual([]);
    expect(await list(await protectedForm(), '?status=quarantined')).toMatchObject({ data: [] });
  });

  it.each([
    ['?status=spam', '/status'],
    ['?status=accepted&cursor=QUARANTINED', '/cursor'],
  ])('refuses %s', async (query, pointer) => {
    const form = await openForm();
    const { nextCursor } = (await list(form, '?status=quarantined&limit=1')).pagination;
    const { body } = await api.client.get(
      `/api/forms/${form.id}/submissions${query.replace('QUARANTINED', String(nextCursor))}`,
      { expect: 422 },
    );
    expect(body.errors?.map((each) => each.pointer)).toEqual([pointer]);
  });

  it('are exported only if the export asks for them', async () => {
    const form = await openForm();
    const path = `/api/forms/${form.id}/submissions/export?format=`;
    const text = async (query: string) => (await api.client.get(path + query, { expect: 200 })).text;
    expect((await text('csv')).split('\r\n')).toHaveLength(3);
    expect(await text('csv')).not.toMatch(/spam|quarantine/);
    const [header = '', row = ''] = (await text('csv&status=quarantined')).split('\r\n');
    expect(header).toBe(
      'id,createdAt,submittedVia,ipAddress,userAgent,page,taskId,resolvedBy,quarantineReason,email,other',
    );
    expect(row).toContain(',no_token,c@spam.example,');
    const lines = (await text('ndjson&status=quarantined')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as SubmissionOut).data['email'])).toEqual([
      'c@spam.example',
      'b@spam.example',
      'a@spam.example',
    ]);
  });

  it('count in no statistics until they are released', async () => {
    const form = await openForm();
    const today = new Date(api.clock.now).toISOString().slice(0, 10);
    const totals = async () => {
      const days = await api.client.get<{ submissions: number }[]>(
        `/api/forms/${form.id}/stats?from=${today}&to=${today}`,
        { expect: 200 },
      );
      const forms = await api.client.get<{ totalSubmissions: number }[]>(`/api/stats?formIds=${form.id}`, {
        expect: 200,
      });
      return [days.body.data.at(-1)?.submissions, forms.body.data[0]?.totalSubmissions];
    };
    expect(await totals()).toEqual([1, 1]);
    const [newest] = (await list(form, '?status=quarantined')).data;
    await release(String(newest?.id));
    expect(await totals()).toEqual([2, 2]);
  });

  it('cause no event until one call, of any number, releases them', async () => {
    const form = await openForm();
    const [spam] = (await list(form, '?status=quarantined')).data;
    const id = String(spam?.id);
    await poll(async () => (await published()).length > 0);
    const before = await published();
    const other = (await api.start()).client(api.key);
    api.clock.now += 60_000;
    const calls = await Promise.all(
      Array.from({ length: 8 }, (_, n) => release(id, n % 2 ? other : api.client)),
    );
    expect(calls.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 409, 409, 409, 409, 409, 409, 409,
    ]);
    const won = calls.find(({ status }) => status === 200);
    const { quarantineReason: _, ...rest } = spam as SubmissionOut;
    expect(won?.body.data).toEqual({ ...rest, status: 'accepted' });
    expect(calls.find(({ status }) => status === 409)?.body.code).toBe('CONFLICT');
    expect(await read(id)).toEqual({ ...rest, status: 'accepted' });
    expect(emails(await list(form))).toEqual(['c@spam.example', 'good@example.com']);
    expect(emails(await list(form, '?status=quarantined'))).toHaveLength(2);
    await poll(async () => (await published()).length === before.length + 1);
  });

  it('count toward the maximum of a form only when they are released, and never exceed it', async () => {
    const settings = { spam: { isEnabled: true }, closing: { maxSubmissions: 2 } };
    const form = await api.createForm({ settings });
    for (const name of ['a', 'b', 'c']) await verdictOf(form, { data: { email: `${name}@spam.example` } });
    const first = await getToken(form);
    const proof = await solve(first);
    expect(await verdictOf(form, { token: first.token, proof })).toBe('accepted');
    expect(await verdictOf(form, { token: first.token, proof })).toBe('reused_token');
    const spam = (await list(form, '?status=quarantined')).data;
    expect(spam).toHaveLength(4);
    const other = (await api.start()).client(api.key);
    const calls = await Promise.all(
      spam.flatMap(({ id }) => [api.client, other].map((client) => release(id, client))),
    );
    const refused = calls.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(7).fill([409, 'CONFLICT']));
    expect((await list(form)).data).toHaveLength(2);
    expect((await list(form, '?status=quarantined')).data).toHaveLength(3);
    const path = `/api/forms/${form.id}/submissions`;
    const late = await api.visitor.post(path, { body: { data: VALUES }, expect: 403 });
    expect(late.body.code).toBe('FORM_CLOSED');

    const [rest] = (await list(form, '?status=quarantined')).data;
    const full = await release(String(rest?.id));
    expect(full.body).toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(/maximum/) });
    const [accepted] = (await list(form)).data;
    await api.client.delete(`/api/submissions/${accepted?.id}`, { expect: 204 });
    api.clock.now += 2_000;
    expect((await release(String(rest?.id))).status).toBe(200);
    expect((await list(form)).data).toHaveLength(2);
  });

  it('that were never in quarantine can’t be released, nor those of other accounts or without the scope', async () => {
    const form = await openForm();
    const [good] = (await list(form)).data;
    const [spam] = (await list(form, '?status=quarantined')).data;
    expect((await release(String(good?.id))).status).toBe(409);
    expect((await release(String(spam?.id), api.stranger)).status).toBe(404);
    expect((await release(newId('sub'))).status).toBe(404);
    const reader = await api.clientWith(['submissions:read', 'forms:write']);
    expect((await release(String(spam?.id), reader)).status).toBe(403);
    expect((await release(String(spam?.id))).status).toBe(200);
  });

  it('publish their event if the process dies right after the release', async () => {
    const form = await openForm();
    const [spam] = (await list(form, '?status=quarantined')).data;
    const submissions = api.store.collection<SubmissionRecord>(SUBMISSIONS);
    const record = (await submissions.findOne({ _id: String(spam?.id) })) as SubmissionRecord;
    const before = await published();
    const { filter, update } = releaseOf(record, { requestId: 'r', isQuiet: true, now: api.clock.now });
    await submissions.updateOne(filter, update);
    expect((await release(record._id)).status).toBe(409);
    api.clock.now += 6_000;
    await poll(async () => (await published()).length === before.length + 1);
    await poll(async () => (await submissions.findOne({ _id: record._id }))?.pendingKey === undefined);
  });

  it('are deleted like others, and never released after that', async () => {
    const form = await openForm();
    const [spam] = (await list(form, '?status=quarantined')).data;
    await api.client.delete(`/api/submissions/${spam?.id}`, { expect: 204 });
    expect((await release(String(spam?.id))).status).toBe(404);
    expect(emails(await list(form, '?status=quarantined'))).toHaveLength(2);
    const erased = await api.client.post<{ submissionIds: string[] }>('/api/erasures', {
      body: { value: 'a@spam.example' },
    });
    expect(erased.body.data.submissionIds.length).toBeGreaterThan(0);
    expect(emails(await list(form, '?status=quarantined'))).toEqual(['b@spam.example']);
  });
});
