import { poll, type ApiResponse } from '@svcforms/test-kit';
import { setImmediate } from 'node:timers/promises';
import { startTestHost, type TestHost } from '../../test/host.ts';
import { rawRoute } from '../../test/raw-route.ts';

const LARGE = Buffer.alloc(1024 * 1024, 'x');
/** How many bodies of this size are handled, and how many are in memory, at most. */
const HANDLED = 8;
const KEPT = 128;

/** A host whose handler does `work`. */
async function hostThat(work: () => Promise<void>): Promise<{ host: TestHost; most: () => number }> {
  let [running, most] = [0, 0];
  const raw = rawRoute(async (rawBody) => {
    if (rawBody.length < LARGE.length) return {};
    running += 1;
    most = Math.max(most, running);
    await work();
    running -= 1;
    return {};
  });
  return { host: await startTestHost({ routes: [raw] }), most: () => most };
}

function sendLarge(host: TestHost, count: number): Promise<ApiResponse<unknown>>[] {
  const client = host.client();
  return Array.from({ length: count }, () => client.post('/api/raw', { rawBody: LARGE }));
}

describe('requests with large bodies', () => {
  it('are handled a few at a time, and all get their response', async () => {
    const { host, most } = await hostThat(async () => {
      for (let turn = 0; turn < 100; turn++) await setImmediate();
    });
    const responses = await Promise.all(sendLarge(host, 4 * HANDLED));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    expect(most()).toBeLessThanOrEqual(HANDLED);
  });

  it("don't wait for handlers that wait for something else", async () => {
    let proceed = () => {};
    const blocked = new Promise<void>((resolve) => (proceed = resolve));
    const { host, most } = await hostThat(() => blocked);
    const sent = sendLarge(host, HANDLED + 1);
    await poll(() => most() === HANDLED + 1, { what: 'another handler' });
    proceed();
    await Promise.all(sent);
  });

  it('get 503 once too many of them are in memory, and small ones are handled', async () => {
    let proceed = () => {};
    const blocked = new Promise<void>((resolve) => (proceed = resolve));
    const { host } = await hostThat(() => blocked);
    const refused: ApiResponse<unknown>[] = [];
    const sent = sendLarge(host, KEPT + 5).map(async (response) => {
      const { status } = await response;
      if (status !== 202) refused.push(await response);
      return status;
    });
    await poll(() => refused.length === 5, { what: 'the refusals' });
    for (const { status, body, headers } of refused) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'UNAVAILABLE' });
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    await host.client().post('/api/raw', { rawBody: Buffer.from('x'), expect: 202 });
    proceed();
    expect((await Promise.all(sent)).filter((status) => status === 202)).toHaveLength(KEPT);
    await Promise.all(
      sendLarge(host, KEPT).map(async (response) => expect((await response).status).toBe(202)),
    );
  });
});
