import type { SubmissionOut } from '@svcforms/contracts';
import {
  createClient,
  createFormWithWebhook,
  describeWith,
  newApiKey,
  poll,
  runToEnd,
  startWebhookEndpoint,
  startProcess,
  tempFolder,
  testSettings,
  type ApiResponse,
} from '@svcforms/test-kit';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, expectFailedStart } from '../start/failed-start.ts';
import { mountSmallDisk } from './small-disk.ts';

jest.setTimeout(60_000);

const KIB = 1024;
const MIB = 1024 * KIB;

describeWith(['root'], 'the standalone on a disk', () => {
  // Each size gets one step further: no key, no database, no tables, no event log.
  it.each([0, 4, 8, 24, 60, 120])('with %d KiB left exits, and starts once there is room', async (left) => {
    const disk = mountSmallDisk(16 * MIB);
    disk.fill(left * KIB);
    const env = { SVC_DATA_DIR: disk.folder };
    await expectFailedStart('standalone', env, { code: EXIT.noRoom, message: disk.folder });
    disk.clear();
    const product = await startProcess('standalone', { env });
    expect(await product.stop()).toBe(0);
  });

  it('that fills up rejects what it cannot store, keeps what it has, and recovers once there is room', async () => {
    const disk = mountSmallDisk(32 * MIB);
    const apiKey = newApiKey();
    const env = { ...testSettings({ apiKey }), SVC_DATA_DIR: disk.folder };
    const product = await startProcess('standalone', { env });
    const client = createClient({ baseUrl: product.url, token: apiKey });
    const webhookEndpoint = await startWebhookEndpoint();
    const { inbound } = await createFormWithWebhook(client, webhookEndpoint.url);
    const accepted: string[] = [];

    /** Large submissions, which quickly use up the free pages of the database file. */
    async function submit(): Promise<ApiResponse<{ submissionId: string }>> {
      const response = await client.post<{ submissionId: string }>(`/api/inbound/${inbound.formId}`, {
        body: { email: 'ada@example.com', message: 'x'.repeat(200 * KIB) },
        headers: { authorization: `Bearer ${inbound.token}` },
      });
      if (response.status === 202) accepted.push(response.body.data.submissionId);
      return response;
    }

    await submit();
    expect(accepted).toHaveLength(1);
    disk.fill(0);
    const refused = await poll(async () => {
      const response = await submit();
      return response.status !== 202 && response;
    });
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', success: false } });
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);

    await client.get('/livez', { expect: 200 });
    const readiness = await client.get('/readyz', { expect: 503 });
    expect(readiness.body).toMatchObject({ failing: ['store', 'bus'] });
    for (const id of accepted) {
      const { body } = await client.get<SubmissionOut>(`/api/submissions/${id}`, { expect: 200 });
      expect(body.data.id).toBe(id);
    }

    disk.clear();
    await client.get('/readyz', { expect: 200 });
    await poll(async () => (await submit()).status === 202, { what: 'an accepted submission' });
    const arrived = () => webhookEndpoint.requests.map(({ rawBody }) => submissionIdIn(rawBody));
    await poll(() => accepted.every((id) => arrived().includes(id)), { what: 'every accepted submission' });
    expect(arrived().filter((id) => !accepted.includes(id))).toEqual([]);
    expect(await product.stop()).toBe(0);
  });
});

describeWith(['root'], 'a dump to a full disk', () => {
  it('names the file, which it deletes', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    expect(await product.stop()).toBe(0);
    const disk = mountSmallDisk(MIB);
    disk.fill(0);
    const file = join(disk.folder, 'dump.ndjson');
    const { code, stderr } = await runToEnd('admin', { args: ['dump', file], env: { SVC_DATA_DIR: folder } });
    expect([code, stderr]).toEqual([
      EXIT.noRoom,
      `admin: ${file} can't be written: ENOSPC: no space left on device, write\n`,
    ]);
    expect(existsSync(file)).toBe(false);
  });
});

function submissionIdIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as { submissionId: string }).submissionId;
}
