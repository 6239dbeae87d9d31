import {
  describeWith,
  poll,
  readEvents,
  runToEnd,
  startNats,
  atEnd,
  startS3Server,
  tempFolder,
} from '@svcforms/test-kit';
import { restoredScenarios } from './restored-scenarios.ts';
import { createFixture, sendSigned, type Fixture } from './fixture.ts';
import {
  backendStorage,
  embeddedStorage,
  startServices,
  startStandalone,
  type Stack,
  type Storage,
} from './stacks.ts';

jest.setTimeout(180_000);

interface Drill {
  /** The storage of the lost product and of the restored one. */
  storages: () => Promise<[Storage, Storage]>;
  start: (env: Record<string, string>, apiKey: string) => Promise<Stack>;
  /** The settings of the backup target. */
  target: () => Promise<Record<string, string>>;
  /** Whether the event log outlives the store. */
  keepsLog?: boolean;
}

interface Restored {
  fixture: Fixture;
  stack: Stack;
  keepsPositions: boolean;
  /**
   * The id of a submission that was accepted after the backup. Where the log is kept, nobody has
   * read its event.
   */
  lostId: string;
  created: { stdout: string; stderr: string };
  restored: string;
}

async function admin(args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await runToEnd('admin', { args, env });
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
  return { stdout, stderr };
}

/**
 * Makes data through the API, backs it up beside the running product, loses the store, and restores
 * into an empty one.
 */
async function drill({ storages, start, target, keepsLog = false }: Drill): Promise<Restored> {
  const [[lost, empty], backups] = [await storages(), await target()];
  const { fixture, stack } = await createFixture(lost, start);
  // As the CronJob does: without the encryption key, which a backup does not need.
  const { SVC_ENCRYPTION_KEY: _key, ...withoutKey } = fixture.env;
  const created = await admin(['backup', 'create'], { ...withoutKey, ...lost, ...backups });
  const lostId = await sendSigned(stack, fixture, 'after the backup');
  if (keepsLog) fixture.expectedAt = () => [...fixture.submissionIds, lostId];
  await stack.stop();
  await admin(['backup', 'verify'], backups);
  const restored = await admin(['backup', 'restore', 'latest'], { ...fixture.env, ...empty, ...backups });
  fixture.acceptAll();
  return {
    fixture,
    stack: await start({ ...fixture.env, ...empty }, fixture.apiKey),
    keepsPositions: keepsLog,
    lostId,
    created,
    restored: restored.stdout,
  };
}

const bucket = async () => (await startS3Server()).env;
const folder = async () => ({ SVC_BACKUP_DIR: tempFolder() });
const embedded = async (): Promise<[Storage, Storage]> => [embeddedStorage(), embeddedStorage()];

/** A database on a new NATS server. */
async function onNewNats(): Promise<Storage> {
  const nats = await startNats();
  atEnd(() => nats.remove());
  return backendStorage(nats.url);
}

function describeDrill(title: string, given: Drill): void {
  describe(title, () => {
    let result: Restored;
    beforeAll(async () => void (result = await drill(given)));
    afterAll(() => result?.stack.stop());

    it('restores as many documents as the backup says that it has, and the events that the log lacks', () => {
      const amount = /(\d+) documents and (\d+) unread events?/;
      const [, documents = '', events = ''] = amount.exec(result.created.stdout) ?? [];
      expect(documents).toMatch(/^\d{2,}$/);
      const restored = amount.exec(result.restored)?.slice(1);
      expect(restored).toEqual([documents, given.keepsLog ? '0' : events]);
    });

    it('logs one line that says what was stored', () => {
      expect(JSON.parse(result.created.stderr)).toMatchObject({
        level: 'info',
        name: 'backup',
        event: 'backup.created',
        backup: expect.stringMatching(/^svcforms-\d{8}T\d{9}Z-\w{6}\.ndjson\.gz$/),
        bytes: expect.any(Number),
        documents: expect.any(Number),
        durationMs: expect.any(Number),
      });
    });

    restoredScenarios(() => result);

    const title = given.keepsLog ? 'delivers and streams a submission' : "doesn't know a submission";
    it(`${title} that was accepted after the backup, whose record is lost`, async () => {
      const { fixture, stack, lostId } = result;
      const path = `/api/submissions/${lostId}`;
      await stack.forms.get(path, { expect: 404 });
      const reader = await readEvents(`${stack.streamsUrl}/api/mcp/events/form.submission.new`, {
        token: fixture.apiKey,
        lastEventId: '0-0',
      });
      const after = await sendSigned(stack, fixture, 'the newest');
      await poll(() => reader.frames.some(({ data }) => data.includes(after)), { what: 'the newest frame' });
      reader.close();
      expect(reader.frames.some(({ data }) => data.includes('after the backup'))).toBe(
        given.keepsLog === true,
      );
    });
  });
}

describe('the restore drill of the embedded product', () => {
  describeDrill('from a bucket', {
    storages: embedded,
    start: startStandalone,
    target: bucket,
  });
  describeDrill('from a folder', {
    storages: embedded,
    start: startStandalone,
    target: folder,
  });

  it('fails visibly, with an exit code and a log line, when the bucket refuses the backup', async () => {
    const s3 = await startS3Server({ fail: () => ({ status: 403, code: 'AccessDenied' }) });
    const env = embeddedStorage();
    const product = await startStandalone({ ...env }, '');
    await product.stop();
    const { code, stdout, stderr } = await runToEnd('admin', {
      args: ['backup', 'create'],
      env: { ...env, ...s3.env },
    });
    const lines = stderr.trim().split('\n');
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'error',
      event: 'backup.failed',
      error: expect.stringContaining('AccessDenied'),
    });
    expect(lines.at(-1)).toMatch(/^admin: http:.+AccessDenied/);
    expect(stderr).not.toContain(s3.env['SVC_BACKUP_S3_SECRET_ACCESS_KEY'] ?? '?');
    await poll(() => s3.objects.size === 0 && s3.openUploads() === 0);
  });

  it('fails visibly when there is no backup target, and before a store is opened', async () => {
    const { code, stderr } = await runToEnd('admin', { args: ['backup', 'create'] });
    expect(code).toBe(78);
    expect(stderr).toMatch(/"event":"backup\.failed".*\nadmin: SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET/);
  });
});

describeWith(['nats', 'mongo'], 'the restore drill of the services', () => {
  describeDrill('from a bucket', {
    storages: async () => [await onNewNats(), await onNewNats()],
    start: startServices,
    target: bucket,
  });
  describeDrill('beside the NATS server that outlived MongoDB', {
    storages: async () => {
      const lost = await onNewNats();
      return [lost, await backendStorage(lost['NATS_URL'] ?? '')];
    },
    start: startServices,
    target: bucket,
    keepsLog: true,
  });
});
