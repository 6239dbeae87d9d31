import type { TaskOut } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { watchFinds } from '@svcforms/document-store/testing';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { TASKS } from '@svcforms/records';
import { poll } from '@svcforms/test-kit';
import { openFixture } from '../../test/fixture.ts';
import { callTool } from '../../test/mcp-calls.ts';

const TASKS_STORED = 40;
/** So large that a batch of 200 tasks would have 40 MB. */
const REASON = 'hay '.repeat(50_000);

/**
 * The store itself, which also notes how many tasks each read of an account's list returned. While
 * `gate` is set, these reads wait for it; `waiting` counts them.
 */
function watching(real: DocumentStore) {
  const watched = { reads: [] as number[], waiting: 0, gate: undefined as Promise<void> | undefined };
  const store = watchFinds(real, TASKS, async (filter, find) => {
    if (!('accountId' in filter)) return find();
    watched.waiting += 1;
    await watched.gate;
    watched.waiting -= 1;
    const documents = await find();
    watched.reads.push(documents.length);
    return documents;
  });
  return Object.assign(watched, { store });
}

let fixture: Awaited<ReturnType<typeof openFixture>>;
let watched: ReturnType<typeof watching>;
let url: string;
beforeAll(async () => {
  fixture = await openFixture(openEmbeddedPair());
  watched = watching(fixture.store);
  const replica = await fixture.startReplica({ store: watched.store });
  url = replica.url;
  for (let n = 0; n < TASKS_STORED; n++)
    await fixture.createTask({
      title: n === 0 ? 'needle' : 'hay',
      prefill: { amount: 120, reason: REASON },
    });
});
beforeEach(() => {
  watched.reads = [];
  watched.gate = undefined;
});

const search = (query: string, { key = fixture.key, signal }: { key?: string; signal?: AbortSignal } = {}) =>
  fetch(`${url}/api/mcp/tasks?${query}`, {
    headers: { authorization: `Bearer ${key}` },
    ...(signal && { signal }),
  });

/** Makes reads of the list wait until the returned function is called. */
function closeGate(): () => void {
  let open = () => {};
  watched.gate = new Promise((resolve) => (open = resolve));
  return open;
}

describe('a search through tasks', () => {
  it('reads large tasks a few at a time', async () => {
    const found = (await (await search('q=needle')).json()) as { data: TaskOut[] };
    expect(found.data.map(({ title }) => title)).toEqual(['needle']);
    expect(watched.reads.reduce((sum, count) => sum + count, 0)).toBe(TASKS_STORED);
    expect(Math.max(...watched.reads)).toBeLessThanOrEqual(8);
  });

  it('waits for another of the same caller, and is refused where two wait already', async () => {
    const open = closeGate();
    let refused = 0;
    const searches = Array.from({ length: 5 }, async () => {
      const response = await search('q=needle');
      if (response.status === 429) refused += 1;
      return response;
    });
    await poll(() => refused === 2, { what: 'two refused searches' });
    const { problem } = await callTool(url, fixture.key, 'list_tasks', { q: 'needle' });
    expect(problem).toMatchObject({ code: 'RATE_LIMITED', next: expect.stringContaining('Repeat') });
    // Another caller doesn't wait, and neither does a list without a search.
    const other = search('q=hay&limit=1', { key: (await fixture.keyWith(['tasks:read'])).key });
    const list = search('limit=1');
    open();
    const responses = await Promise.all(searches);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 429, 429,
    ]);
    expect(responses.find(({ status }) => status === 429)?.headers.get('retry-after')).toBe('1');
    expect([(await other).status, (await list).status]).toEqual([200, 200]);
  });

  it('ends when its client has left', async () => {
    const open = closeGate();
    const leaving = new AbortController();
    const left = search('q=needle', { signal: leaving.signal });
    await poll(() => watched.waiting === 1, { what: 'the search' });
    const next = search('q=needle');
    leaving.abort();
    await expect(left).rejects.toThrow(/abort/i);
    // After two more requests, the process has noticed that the client has left.
    for (let n = 0; n < 2; n++) expect((await fetch(`${url}/livez`)).status).toBe(200);
    open();
    expect((await next).status).toBe(200);
    // The first batch of the search that nobody waits for, and a whole one.
    expect(watched.reads.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8 + TASKS_STORED);
  });

  it('reads large tasks a few at a time even after small ones', async () => {
    const { _id: templateId } = await fixture.addForm();
    for (let n = 0; n < 30; n++)
      await fixture.createTask({ templateId, prefill: { amount: 120, reason: n < 20 ? REASON : 'short' } });
    const response = await search(`q=needle&templateId=${templateId}`);
    expect(response.status).toBe(200);
    expect(watched.reads.reduce((sum, count) => sum + count, 0)).toBe(30);
    expect(Math.max(...watched.reads)).toBeLessThanOrEqual(16);
  });
});
