import type { SubmissionOut } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { watchFinds } from '@svcforms/document-store/testing';
import { SUBMISSIONS } from '@svcforms/records';
import { poll, type ApiResponse } from '@svcforms/test-kit';
import { openFormsApi } from '../../test/fixture.ts';
import { storeSubmissions } from '../../test/submissions.ts';

const ROWS = 12_000;
/** Long enough that reading all of them takes seconds. */
const TEXT = 'hay '.repeat(500);

/** The store itself, which also counts the submissions that were read from it. */
function counting(real: DocumentStore): { store: DocumentStore; read: () => number } {
  let read = 0;
  const store = watchFinds(real, SUBMISSIONS, async (filter, find) => {
    const documents = await find();
    // The outbox reads submissions, too.
    if ('formId' in filter) read += documents.length;
    return documents;
  });
  return { store, read: () => read };
}

let api: Awaited<ReturnType<typeof openFormsApi>>;
let host: Awaited<ReturnType<typeof api.start>>;
let read: () => number;
let path: string;
beforeAll(async () => {
  api = await openFormsApi();
  const counted = counting(api.store);
  read = counted.read;
  host = await api.start({ store: counted.store });
  const form = await api.createForm();
  path = `/api/forms/${form.id}/submissions`;
  for (let at = 0; at < ROWS; at += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, n) => ({
      data: { text: at + n === 7 ? 'needle' : TEXT },
      at: at + n,
    }));
    await storeSubmissions(api.store, form, rows);
  }
}, 120_000);

/** A request with the first key, whose response the client can stop waiting for. */
const get = (query: string, signal?: AbortSignal) =>
  fetch(`${host.url}${path}${query}`, {
    headers: { authorization: `Bearer ${api.key}` },
    ...(signal && { signal }),
  });

/** Resolves when the store has been quiet for a while. */
async function untilQuiet(): Promise<number> {
  let before = -1;
  await poll(
    () => {
      const isQuiet = before === read();
      before = read();
      return isQuiet;
    },
    { everyMs: 150, what: 'the end of reading' },
  );
  return before;
}

describe('a search through many submissions', () => {
  it('reads a part of the form per request, and the cursor continues until something is found', async () => {
    const client = host.client(api.key);
    const found: SubmissionOut[] = [];
    const pages: number[] = [];
    let cursor: string | null = null;
    do {
      const before = read();
      const query: string = `?q=needle${cursor === null ? '' : `&cursor=${cursor}`}`;
      const { body }: ApiResponse<SubmissionOut[]> = await client.get(path + query, { expect: 200 });
      found.push(...body.data);
      pages.push(read() - before);
      cursor = body.pagination.nextCursor;
    } while (cursor !== null);
    expect(found.map(({ data }) => data['text'])).toEqual(['needle']);
    expect(pages.length).toBeGreaterThan(1);
    expect(Math.max(...pages)).toBeLessThanOrEqual(5_000);
    expect(pages.reduce((sum, count) => sum + count, 0)).toBe(ROWS);
  });

  it('leaves the process free for other requests', async () => {
    const client = host.client();
    await client.get('/livez', { expect: 200 });
    const searching = get('?q=needle').then((response) => response.json());
    let isOver = false;
    void searching.finally(() => (isOver = true));
    let responses = 0;
    const ask = async () => {
      while (!isOver) {
        await client.get('/livez', { expect: 200 });
        responses += 1;
      }
    };
    // Two at a time: on a busy machine, the responses to one alone were five.
    await Promise.all([ask(), ask(), searching]);
    // A search that blocked the process would let one of each through, before it or after it.
    expect(responses).toBeGreaterThan(5);
  });

  it.each(['?q=needle', '/export?q=needle'])('ends when the client of %s has left', async (query) => {
    const before = await untilQuiet();
    const leaving = new AbortController();
    const response = get(query, leaving.signal).then((response) => response.text());
    await poll(() => read() > before, { everyMs: 1 });
    leaving.abort();
    await expect(response).rejects.toThrow(/abort/i);
    expect((await untilQuiet()) - before).toBeLessThan(5_000);
    // The next search doesn't wait for one that nobody wants anymore.
    expect((await get('?q=hay&limit=1')).status).toBe(200);
  });

  it('waits for another of the same caller, and is refused if two wait already', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => get('?q=needle')));
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(await refused?.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect((await get('')).status).toBe(200);
  });

  it('counts each caller separately', async () => {
    const other = host.client((await api.newKey(['*'])).key);
    const mine = Array.from({ length: 3 }, () => get('?q=needle'));
    expect((await other.get(`${path}?q=hay&limit=1`)).status).toBe(200);
    expect((await Promise.all(mine)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('runs one at a time for exports', async () => {
    const [first, second] = [await get('/export?q=needle'), await get('/export?q=needle')];
    expect([first.status, second.status]).toEqual([200, 429]);
    expect(await first.text()).toContain('needle');
    await second.text();
    await poll(async () => {
      const third = await get('/export?q=nothing');
      await third.text();
      return third.status === 200;
    });
  });
});
