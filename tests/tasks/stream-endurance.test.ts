import type { TaskOut } from '@svcforms/contracts';
import {
  atEnd,
  createClient,
  createForm,
  describeWith,
  newApiKey,
  poll,
  readEvents,
  startNats,
  startProcess,
} from '@svcforms/test-kit';
import { serviceSettings } from '../start/service-settings.ts';

jest.setTimeout(240_000);

const READERS = 8;
const RECONNECTS = 125;

/**
 * Reads a stream that the test disconnects repeatedly, and resumes on the other process each time.
 */
async function readWithBreaks(
  urls: readonly string[],
  {
    token,
    lastEventId,
    isOver,
  }: { token: string; lastEventId: string; isOver: (seen: readonly string[]) => boolean },
): Promise<{ seen: string[]; reconnects: number; resets: number }> {
  const seen: string[] = [];
  let [id, reconnects, resets] = [lastEventId, 0, 0];
  for (; ; reconnects++) {
    const url = `${urls[reconnects % urls.length]}/api/mcp/events/hitl.task.created`;
    const reader = await readEvents(url, { token, lastEventId: id });
    const isLast = reconnects >= RECONNECTS;
    const wanted = 1 + (reconnects % 3);
    await poll(
      () =>
        (isLast ? isOver([...seen, ...taskIdsIn(reader.frames)]) : reader.frames.length >= wanted) ||
        reader.hasEnded() ||
        isOver([...seen, ...taskIdsIn(reader.frames)]),
      { what: 'more events', everyMs: 2, timeoutMs: 60_000 },
    );
    reader.close();
    resets += reader.frames.filter(({ event }) => event === 'stream.reset').length;
    seen.push(...taskIdsIn(reader.frames));
    id = reader.lastEventId() ?? id;
    if (isOver(seen) && reconnects >= RECONNECTS) return { seen, reconnects, resets };
  }
}

const taskIdsIn = (frames: readonly { event: string; data: string }[]) =>
  frames
    .filter(({ event }) => event === 'hitl.task.created')
    .map(({ data }) => (JSON.parse(data) as { data: { taskId: string } }).data.taskId);

describeWith(['nats', 'mongo'], 'streams over two processes and a bus that restarts twice', () => {
  it(`lose nothing, repeat nothing and keep the order over ${READERS * RECONNECTS} reconnects`, async () => {
    const apiKey = newApiKey();
    const nats = await startNats();
    atEnd(() => nats.remove());
    const env = await serviceSettings(nats.url, apiKey);
    const formsApi = await startProcess('forms-api', { env });
    const replicas = await Promise.all([startProcess('hitl', { env }), startProcess('hitl', { env })]);
    const urls = replicas.map(({ url }) => url);
    const client = createClient({ baseUrl: urls[0] ?? '', token: apiKey });
    const form = await createForm(createClient({ baseUrl: formsApi.url, token: apiKey }), { fields: [] });
    const body = { templateId: form.id };
    const first = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
    const lastEventId = first.headers.get('svc-event-cursor') ?? '';

    const created = new Set([first.body.data.id]);
    let allCreated = false;
    const isOver = (seen: readonly string[]) => allCreated && seen.length >= created.size;
    const reading = Array.from({ length: READERS }, () =>
      readWithBreaks(urls, { token: apiKey, lastEventId, isOver }),
    );

    const creating = (async () => {
      // For as long as the readers need for their reconnects.
      while (created.size < 2.2 * RECONNECTS) {
        const response = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
        created.add(response.body.data.id);
      }
      allCreated = true;
    })();
    for (const share of [0.3, 0.6]) {
      await poll(() => created.size > share * 2.2 * RECONNECTS, {
        what: 'the next restart',
        timeoutMs: 60_000,
      });
      await nats.restart();
    }
    await creating;

    const results = await Promise.all(reading);
    const orders = new Set(results.map(({ seen }) => seen.join()));
    expect(results.map(({ seen }) => new Set(seen).size === seen.length)).toEqual(Array(READERS).fill(true));
    expect(results.map(({ seen }) => seen.length)).toEqual(Array(READERS).fill(created.size));
    expect(results.map(({ resets }) => resets)).toEqual(Array(READERS).fill(0));
    expect(Math.min(...results.map(({ reconnects }) => reconnects))).toBeGreaterThanOrEqual(RECONNECTS);
    expect(orders.size).toBe(1);
  });
});
