import type { CollectionSpec, StoredDocument } from '@svcforms/document-store';
import { DAY_MS, type Clock } from '@svcforms/primitives';
import { FORMS, SUBMISSIONS, type SubmissionRecord } from '@svcforms/records';
import { createLogger, readSettings } from '@svcforms/runtime';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { startS3Server, tempFolder, type S3Server } from '@svcforms/test-kit';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openEmbeddedBackends } from '../../test/embedded-backends.ts';
import { dumpErasures } from '../dump/dump.ts';
import { dumpTo } from '../dump/files.ts';
import { newBackupName } from './backup-name.ts';
import { openBackups } from './open-backups.ts';

/** The real time, which targets know. */
const NOW = Date.now();
const SECRET_BOX = createSecretBox([generateEncryptionKey()]);
const SILENT = createLogger({ name: 'test', level: 'silent', to: 2 });

type AnyDocument = StoredDocument & Record<string, unknown>;

const openBackends = () => ({ ...openEmbeddedBackends(), now: () => NOW });
type Backends = ReturnType<typeof openBackends>;

const insert = ({ store }: Backends, ...documents: AnyDocument[]) =>
  store.collection<AnyDocument>(FORMS as CollectionSpec).insertMany(documents);
const formIds = async ({ store }: Backends) => {
  const found = await store.collection(FORMS).find({}, { sort: ['_id'] });
  return found.map(({ _id }) => _id);
};

/** Data that gzip can't make smaller. */
const noise = (bytes: number): string => randomBytes(Math.ceil(bytes * 0.75)).toString('base64');

const open = (env: Record<string, string>, now: Clock = () => NOW) =>
  openBackups(readSettings(env), { log: SILENT, now });

/** A target for backups, and what a test sees of it from outside. */
interface Target {
  env: Record<string, string>;
  names(): string[];
  read(name: string): Buffer;
  write(name: string, content: Buffer): void;
}

function folderTarget(): Target {
  const folder = tempFolder();
  return {
    env: { SVC_BACKUP_DIR: folder },
    names: () => readdirSync(folder),
    read: (name) => readFileSync(join(folder, name)),
    write: (name, content) => writeFileSync(join(folder, name), content),
  };
}

function bucketOf({ env, objects }: S3Server): Target {
  const key = (name: string) => `svcforms/${name}`;
  return {
    env,
    names: () => [...objects.keys()].map((each) => each.replace('svcforms/', '')),
    read: (name) => objects.get(key(name)) ?? Buffer.alloc(0),
    write: (name, content) => void objects.set(key(name), content),
  };
}

const TARGETS: Record<string, () => Promise<Target>> = {
  'a folder': async () => folderTarget(),
  'an S3-compatible bucket': async () => bucketOf(await startS3Server({ pageSize: 2 })),
};

describe.each(Object.entries(TARGETS))('backups in %s', (_, startTarget) => {
  it('are verified and restored, the latest one or another one', async () => {
    const [from, to, other] = [openBackends(), openBackends(), openBackends()];
    const target = await startTarget();
    await insert(from, { _id: 'frm_1' });
    const first = await open(target.env, () => NOW - 5).create(from);
    await insert(from, { _id: 'frm_2' });
    const backups = open(target.env);
    const second = await backups.create(from);

    expect((await backups.list()).map(({ name, bytes }) => ({ name, bytes }))).toEqual([
      { name: second.name, bytes: second.bytes },
      { name: first.name, bytes: first.bytes },
    ]);
    expect(target.read(second.name)).toHaveLength(second.bytes);
    expect(await backups.verify('latest')).toMatchObject({ name: second.name, documents: 2, events: 0 });
    await backups.restore('latest', { ...to, secretBox: SECRET_BOX });
    expect(await formIds(to)).toEqual(['frm_1', 'frm_2']);
    await backups.restore(first.name, { ...other, secretBox: SECRET_BOX });
    expect(await formIds(other)).toEqual(['frm_1']);
  });

  it('leave out what a later backup lists as erased', async () => {
    const [from, to] = [openBackends(), openBackends()];
    const target = await startTarget();
    const submissions = from.store.collection<SubmissionRecord>(SUBMISSIONS);
    const data = JSON.stringify({ email: 'ada@example.com' });
    await from.store
      .collection<AnyDocument>(SUBMISSIONS as CollectionSpec)
      .insertMany([{ _id: 'sub_1', accountId: 'acc_1', formId: 'frm_1', data, metadata: {} }]);
    const { name } = await open(target.env, () => NOW - 5).create(from);
    const erased = { accountId: '', formId: '', data: '{}', erasedAt: new Date(NOW).toISOString() };
    await submissions.updateOne({ _id: 'sub_1' }, { $set: erased });
    await open(target.env).create(from);

    await open(target.env).restore(name, { ...to, secretBox: SECRET_BOX });

    const restored = await to.store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id: 'sub_1' });
    expect(restored).toMatchObject(erased);
  });

  it('leave out what a file and a later backup list as erased', async () => {
    const [from, to] = [openBackends(), openBackends()];
    const target = await startTarget();
    const submissions = from.store.collection<AnyDocument>(SUBMISSIONS as CollectionSpec);
    const ids = ['sub_1', 'sub_2', 'sub_3'];
    await submissions.insertMany(
      ids.map((_id) => ({ _id, accountId: 'acc_1', formId: 'frm_1', metadata: {} })),
    );
    const { name } = await open(target.env, () => NOW - 5).create(from);
    const erase = (_id: string) =>
      submissions.updateOne({ _id }, { $set: { accountId: '', erasedAt: new Date(NOW).toISOString() } });
    await erase('sub_1');
    await open(target.env).create(from);
    await erase('sub_2');
    const erasuresFile = join(tempFolder(), 'erasures');
    await dumpTo(erasuresFile, { ...from, stdout: process.stdout }, dumpErasures);

    const deps = { ...to, secretBox: SECRET_BOX };
    writeFileSync(`${erasuresFile}.part`, readFileSync(erasuresFile).subarray(0, -20));
    await expect(
      open(target.env).restore(name, { ...deps, erasuresFile: `${erasuresFile}.part` }),
    ).rejects.toThrow('the file of erasures is not complete');
    await open(target.env).restore(name, { ...deps, erasuresFile });

    const restored = await to.store.collection(SUBMISSIONS).find({}, { sort: ['_id'] });
    expect(restored.map(({ _id, accountId }) => [_id, accountId])).toEqual([
      ['sub_1', ''],
      ['sub_2', ''],
      ['sub_3', 'acc_1'],
    ]);
  });

  it('are refused before anything is restored if the newest one, which lists what was erased, is damaged', async () => {
    const [from, to] = [openBackends(), openBackends()];
    const target = await startTarget();
    await insert(from, { _id: 'frm_1' });
    const { name } = await open(target.env, () => NOW - 5).create(from);
    const newest = await open(target.env).create(from);
    target.write(newest.name, target.read(newest.name).subarray(0, -20));
    const restored = open(target.env).restore(name, { ...to, secretBox: SECRET_BOX });
    await expect(restored).rejects.toMatchObject({
      code: 'DAMAGED',
      message: expect.stringMatching(
        `^${newest.name} is not a complete .+; it lists what was erased`,
      ) as string,
    });
    const latest = open(target.env).restore('latest', { ...to, secretBox: SECRET_BOX });
    await expect(latest).rejects.toMatchObject({
      code: 'DAMAGED',
      message: expect.stringMatching(`; remove it to restore the one before, ${name}$`) as string,
    });
    expect(await formIds(to)).toEqual([]);
  });

  it('are deleted when they expire, and nothing else is', async () => {
    const from = openBackends();
    const target = await startTarget();
    const old = [3, 2, 1].map((days) => newBackupName(NOW - days * DAY_MS - (days === 2 ? 1 : 0)));
    for (const name of [...old, 'notes.txt']) target.write(name, Buffer.from('x'));
    const { name, deleted } = await open({ ...target.env, SVC_BACKUP_KEEP_DAYS: '2' }).create(from);
    expect(deleted).toEqual([old[1], old[0]]);
    expect(new Set(target.names())).toEqual(new Set([name, old[2], 'notes.txt']));
    const later = await open({ ...target.env, SVC_BACKUP_KEEP_COUNT: '1' }, () => NOW + 1).create(from);
    expect(new Set(later.deleted)).toEqual(new Set([name, old[2]]));
  });

  it('stay when they are new, also beside one with a later time', async () => {
    const target = await startTarget();
    const ahead = newBackupName(NOW + 60_000);
    target.write(ahead, Buffer.from('x'));
    const keepOne = open({ ...target.env, SVC_BACKUP_KEEP_COUNT: '1' });
    const { name, deleted } = await keepOne.create(openBackends());
    expect([deleted, new Set(target.names())]).toEqual([[], new Set([name, ahead])]);
  });

  it('stay, also expired ones, while the clock is ahead, and while one has a time in the future', async () => {
    const from = openBackends();
    const target = await startTarget();
    const old = [2, 1].map((days) => newBackupName(NOW - days * DAY_MS));
    for (const name of old) target.write(name, Buffer.from('x'));
    const env = { ...target.env, SVC_BACKUP_KEEP_DAYS: '3' };
    const ahead = await open(env, () => NOW + 40 * DAY_MS).create(from);
    expect([ahead.deleted, ahead.notDeleted]).toEqual([
      [],
      expect.stringMatching(/^the clocks of this machine and of \S+ differ by more than 5 minutes/),
    ]);

    const right = await open({ ...env, SVC_BACKUP_KEEP_COUNT: '1' }).create(from);
    expect([right.deleted, right.notDeleted]).toEqual([
      [],
      expect.stringContaining(`${ahead.name} has a time in the future`),
    ]);
    expect(new Set(target.names())).toEqual(new Set([...old, ahead.name, right.name]));
    const refused = {
      code: 'WRONG_TIME',
      message: expect.stringContaining(`${ahead.name} has a time in the future`) as string,
    };
    const deps = { ...openBackends(), secretBox: SECRET_BOX };
    for (const name of ['latest', right.name])
      await expect(open(env).restore(name, deps)).rejects.toMatchObject(refused);
    await expect(open(env).verify('latest')).rejects.toMatchObject(refused);
    expect(await open(env).verify(right.name)).toMatchObject({ name: right.name });
  });

  it('stay for as long again after a time without backups', async () => {
    const from = openBackends();
    const target = await startTarget();
    const old = [41, 40].map((days) => newBackupName(NOW - days * DAY_MS));
    for (const name of old) target.write(name, Buffer.from('x'));
    const first = await open(target.env).create(from);
    expect([first.deleted, first.notDeleted]).toEqual([
      [],
      expect.stringContaining(`there is no backup of the 30 days before ${first.name}`),
    ]);
    const second = await open(target.env, () => NOW + 1_000).create(from);
    expect([second.deleted, second.notDeleted]).toEqual([[], first.notDeleted]);
  });

  it('are refused before anything is restored if one byte differs or the end is missing', async () => {
    const [from, to] = [openBackends(), openBackends()];
    const target = await startTarget();
    await insert(from, { _id: 'frm_1', name: 'Contact' });
    const backups = open(target.env);
    const { name } = await backups.create(from);
    const content = target.read(name);
    const changed = gunzipSync(content).toString().replace('Contact', 'Contakt');
    const damaged: [Buffer, string][] = [
      [gzipSync(changed), 'its checksum does not match'],
      [content.subarray(0, -20), 'the file is damaged: unexpected end of file'],
      [gzipSync(gunzipSync(content).toString().split('\n').slice(0, 2).join('\n')), 'the dump is truncated'],
      [Buffer.from('not compressed'), 'the file is damaged: incorrect header check'],
      [gzipSync('{}\n'), 'line 1 is not the head of a dump'],
    ];
    for (const [bytes, message] of damaged) {
      target.write(name, bytes);
      const refused = { code: 'DAMAGED', message: expect.stringContaining(message) as string };
      await expect(backups.restore(name, { ...to, secretBox: SECRET_BOX })).rejects.toMatchObject(refused);
      await expect(backups.verify(name)).rejects.toMatchObject(refused);
    }
    expect(await formIds(to)).toEqual([]);
  });

  it('leave nothing behind when the dump fails', async () => {
    const from = openBackends();
    const target = await startTarget();
    const broken = {
      ...from,
      bus: { ...from.bus, unread: () => Promise.reject(new Error('bus is unavailable')) },
    };
    await expect(open(target.env).create(broken)).rejects.toThrow('bus is unavailable');
    const late = { ...from, bus: { ...from.bus, position: () => Promise.reject(new Error('bus is gone')) } };
    await insert(from, { _id: 'frm_1', name: noise(200_000) });
    await expect(open(target.env).create(late)).rejects.toThrow('bus is gone');
    expect(target.names()).toEqual([]);
  });

  it('are named in the error if there is no such backup', async () => {
    const target = await startTarget();
    await expect(open(target.env).verify('latest')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('has no backup latest: it has no backups') as string,
    });
  });
});

describe('a bucket', () => {
  it('gets a large backup in parts, which become an object only once all are stored', async () => {
    const [from, to] = [openBackends(), openBackends()];
    const s3 = await startS3Server();
    const documents = Array.from({ length: 3 }, (_, n) => ({ _id: `frm_${n}`, name: noise(8_000_000) }));
    await insert(from, ...documents);
    const { bytes } = await open(s3.env).create(from);
    const operations = s3.requests.map(({ operation }) => operation);
    expect(bytes).toBeGreaterThan(16 * 1024 ** 2);
    expect(operations.filter((operation) => operation === 'UploadPart').length).toBeGreaterThan(1);
    expect(s3.openUploads()).toBe(0);
    await open(s3.env).restore('latest', { ...to, secretBox: SECRET_BOX });
    expect(await formIds(to)).toHaveLength(3);
  });

  it('keeps no part of an upload that fails', async () => {
    const from = openBackends();
    const s3 = await startS3Server({
      fail: ({ operation }, nth) =>
        operation === 'UploadPart' && nth > 1 ? { status: 403, code: 'AccessDenied' } : undefined,
    });
    await insert(from, ...Array.from({ length: 3 }, (_, n) => ({ _id: `frm_${n}`, name: noise(8_000_000) })));
    await expect(open(s3.env).create(from)).rejects.toMatchObject({ code: 'DENIED' });
    expect([s3.objects.size, s3.openUploads()]).toEqual([0, 0]);
  });

  it('is written again after temporary errors', async () => {
    const from = openBackends();
    const s3 = await startS3Server({
      fail: ({ operation }, nth) =>
        operation === 'PutObject' && nth === 1 ? { status: 503, code: 'SlowDown' } : undefined,
    });
    const { name } = await open(s3.env).create(from);
    expect([...s3.objects.keys()]).toEqual([`svcforms/${name}`]);
  });

  it.each([
    ['SVC_BACKUP_S3_SECRET_ACCESS_KEY', 'wrong', 'SignatureDoesNotMatch'],
    ['SVC_BACKUP_S3_ACCESS_KEY_ID', 'WRONG', 'InvalidAccessKeyId'],
    ['SVC_BACKUP_S3_REGION', 'eu-other-1', 'AuthorizationHeaderMalformed'],
    ['SVC_BACKUP_S3_BUCKET', 'other-bucket', 'NoSuchBucket'],
  ])('with a wrong %s is refused with the reason of the store', async (name, value, reason) => {
    const s3 = await startS3Server();
    await expect(open({ ...s3.env, [name]: value }).create(openBackends())).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringMatching(
        new RegExp(`^http://127.0.0.1:\\d+/[\\w-]+/svcforms/: ${reason}`),
      ) as string,
    });
  });

  it('reports that the object storage is unreachable', async () => {
    const s3 = await startS3Server();
    await s3.close();
    const refused = open(s3.env).create(openBackends());
    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it("doesn't call a backup damaged that can't be read to its end", async () => {
    const [from, to] = [openBackends(), openBackends()];
    const s3 = await startS3Server({
      fail: ({ operation }) => (operation === 'GetObject' ? 'cut' : undefined),
    });
    await insert(from, { _id: 'frm_1', name: noise(200_000) });
    const older = await open(s3.env, () => NOW - 5).create(from);
    const newest = await open(s3.env).create(from);
    const refused = {
      code: 'UNAVAILABLE',
      message: expect.stringMatching(
        /^http:\S+\/svcforms\/: svcforms-\S+ can't be read: (?!.*remove)/,
      ) as string,
    };
    await expect(open(s3.env).verify(newest.name)).rejects.toMatchObject(refused);
    const restored = open(s3.env).restore(older.name, { ...to, secretBox: SECRET_BOX });
    await expect(restored).rejects.toMatchObject(refused);
  });

  it("stores a backup even if an old one can't be deleted", async () => {
    const s3 = await startS3Server({
      fail: ({ operation }) =>
        operation === 'DeleteObject' ? { status: 403, code: 'AccessDenied' } : undefined,
    });
    const target = bucketOf(s3);
    const old = newBackupName(NOW - DAY_MS);
    target.write(old, Buffer.from('x'));
    const { name, deleted, notDeleted } = await open({ ...target.env, SVC_BACKUP_KEEP_COUNT: '1' }).create(
      openBackends(),
    );
    expect([target.names().toSorted(), deleted]).toEqual([[name, old].toSorted(), []]);
    expect(notDeleted).toContain('AccessDenied');
  });
});

describe('a folder', () => {
  it('contains files that only their owner can read', async () => {
    const folder = tempFolder();
    const { name } = await open({ SVC_BACKUP_DIR: folder }).create(openBackends());
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('keeps expired backups while the clocks of this machine and of the event bus differ', async () => {
    const from = openBackends();
    const target = folderTarget();
    const old = newBackupName(NOW - DAY_MS);
    target.write(old, Buffer.from('x'));
    const bus = { ...from.bus, serverTime: async () => NOW - 3600_000 };
    const keepOne = open({ ...target.env, SVC_BACKUP_KEEP_COUNT: '1' });
    const { deleted, notDeleted } = await keepOne.create({ ...from, bus });
    expect([deleted, notDeleted]).toEqual([[], expect.stringContaining('of the NATS server differ')]);
  });

  it('is cleaned of files of a process that was killed a day ago', async () => {
    const folder = tempFolder();
    const [old, recent] = [1, 2].map(() => join(folder, `${newBackupName(NOW)}.partial`));
    for (const file of [old, recent]) writeFileSync(file ?? '', 'begun');
    const dayAgo = new Date(Date.now() - DAY_MS - 60_000);
    utimesSync(old ?? '', dayAgo, dayAgo);
    await open({ SVC_BACKUP_DIR: folder }).create(openBackends());
    expect([old, recent].map((file) => existsSync(file ?? ''))).toEqual([false, true]);
  });

  it('must exist, so that an unmounted volume is noticed', async () => {
    const missing = join(tempFolder(), 'missing');
    const backups = open({ SVC_BACKUP_DIR: missing });
    const refused = { code: 'UNAVAILABLE', message: expect.stringContaining(missing) as string };
    await expect(backups.create(openBackends())).rejects.toMatchObject(refused);
    await expect(backups.list()).rejects.toMatchObject(refused);
    expect(existsSync(missing)).toBe(false);
  });
});

describe('the settings of backups', () => {
  const from = (env: Record<string, string>) => () => open(env);

  it.each<[string, Record<string, string>, string]>([
    ['nothing', {}, 'SVC_BACKUP_DIR or SVC_BACKUP_S3_BUCKET is required'],
    ['two targets', { SVC_BACKUP_DIR: '/a', SVC_BACKUP_S3_BUCKET: 'abc' }, 'are both set'],
    [
      'half an access key',
      { SVC_BACKUP_S3_BUCKET: 'abc', SVC_BACKUP_S3_ACCESS_KEY_ID: 'a' },
      'SVC_BACKUP_S3_SECRET_ACCESS_KEY is required',
    ],
    [
      'a file that is missing',
      {
        SVC_BACKUP_S3_BUCKET: 'abc',
        SVC_BACKUP_S3_ACCESS_KEY_ID: 'a',
        SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE: '/missing/secret',
      },
      "SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE /missing/secret can't be read",
    ],
  ])('with %s are refused', (_, env, message) => {
    expect(from(env)).toThrow(
      expect.objectContaining({ name: 'SettingsError', message: expect.stringContaining(message) as string }),
    );
  });

  it('read credentials from files, without their last line break', async () => {
    const s3 = await startS3Server();
    const file = join(tempFolder(), 'secret');
    writeFileSync(file, `${s3.env['SVC_BACKUP_S3_SECRET_ACCESS_KEY']}\n`);
    chmodSync(file, 0o400);
    const { SVC_BACKUP_S3_SECRET_ACCESS_KEY: _, ...others } = s3.env;
    await open({ ...others, SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE: file }).create(openBackends());
    expect(s3.objects.size).toBe(1);
  });
});
