import {
  describeWith,
  poll,
  runToEnd,
  startNats,
  atEnd,
  startS3Server,
  tempFolder,
} from '@svcforms/test-kit';
import { restoredScenarios } from './restored-scenarios.ts';
import { createFixture, type Fixture } from './fixture.ts';
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
  storage: () => Promise<Storage>;
  start: (env: Record<string, string>, apiKey: string) => Promise<Stack>;
  /** The settings of the place for backups. */
  place: () => Promise<Record<string, string>>;
}

interface Restored {
  fixture: Fixture;
  stack: Stack;
  keepsPositions: boolean;
  created: { stdout: string; stderr: string };
  restored: string;
}

async function admin(args: readonly string[], env: Record<string, string>) {
  const { code, stdout, stderr } = await runToEnd('admin', { args, env });
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
  return { stdout, stderr };
}

/** Makes data through the API, backs it up beside the running product, loses the store, and restores into an empty one. */
async function drill({ storage, start, place }: Drill): Promise<Restored> {
  const [lost, empty, backups] = [await storage(), await storage(), await place()];
  const { fixture, stack } = await createFixture(lost, start);
  // As the CronJob does: without the encryption key, which a backup does not need.
  const { SVC_ENCRYPTION_KEY: _key, ...withoutKey } = fixture.env;
  const created = await admin(['backup', 'create'], { ...withoutKey, ...lost, ...backups });
  await stack.stop();
  await admin(['backup', 'verify'], backups);
  const restored = await admin(['backup', 'restore', 'latest'], { ...fixture.env, ...empty, ...backups });
  fixture.acceptAll();
  return {
    fixture,
    stack: await start({ ...fixture.env, ...empty }, fixture.apiKey),
    keepsPositions: false,
    created,
    restored: restored.stdout,
  };
}

const bucket = async () => (await startS3Server()).env;
const folder = async () => ({ SVC_BACKUP_DIR: tempFolder() });

function describeDrill(title: string, given: Drill): void {
  describe(title, () => {
    let result: Restored;
    beforeAll(async () => void (result = await drill(given)));
    afterAll(() => result?.stack.stop());

    it('restores as many documents and events as the backup says that it has', () => {
      const amount = /(\d+ documents and \d+ unread events?)/;
      const [, dumped = ''] = amount.exec(result.created.stdout) ?? [];
      expect(dumped).toMatch(/^\d{2,} documents/);
      expect(amount.exec(result.restored)?.[1]).toBe(dumped);
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
  });
}

describe('the restore drill of the embedded product', () => {
  describeDrill('from a bucket', {
    storage: async () => embeddedStorage(),
    start: startStandalone,
    place: bucket,
  });
  describeDrill('from a folder', {
    storage: async () => embeddedStorage(),
    start: startStandalone,
    place: folder,
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

  it('fails visibly when there is no place for backups, and before a store is opened', async () => {
    const { code, stderr } = await runToEnd('admin', { args: ['backup', 'create'] });
    expect(code).toBe(78);
    expect(stderr).toMatch(/"event":"backup\.failed".*\nadmin: SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET/);
  });
});

describeWith(['nats', 'mongo'], 'the restore drill of the services', () => {
  describeDrill('from a bucket', {
    storage: async () => {
      const nats = await startNats();
      atEnd(() => nats.remove());
      return backendStorage(nats.url);
    },
    start: startServices,
    place: bucket,
  });
});
