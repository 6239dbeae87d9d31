import type { Collection, CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { newId, type BusEvent } from '@svcforms/contracts';
import {
  ACCOUNTS,
  createTotp,
  totpSecretContext,
  USERS,
  type AccountRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  DELIVERIES,
  ERASURES,
  FORMS,
  INBOUND_ENDPOINTS,
  inboundSecretContext,
  newErasure,
  PENDING_TASK_FIELDS,
  SUBMISSIONS,
  TASKS,
  WEBHOOK_HEALTH,
  WEBHOOKS,
  webhookSecretContext,
  type SubmissionRecord,
  type TaskRecord,
  type WebhookRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import { MAILS } from '@svcforms/webhook-dispatcher/collections';
import { openEmbeddedBackends } from '../../test/embedded-backends.ts';
import { COLLECTIONS } from '../dump/collections.ts';
import { restore } from '../dump/restore.ts';
import { dump } from '../dump/dump.ts';
import { linesOf } from '../dump/lines.ts';
import { exportAccount } from './export-account.ts';
import { importAccount } from './import-account.ts';
import { NOT_MOVED, OWNED } from './owned-collections.ts';

type AnyDocument = StoredDocument & Record<string, unknown>;

const FIRST = 'acc_00000000000000000000000001';
const ACCOUNT = 'acc_01J9ZC3V6M8K2Q4R5S7T9W1X3Y';
const PASSPHRASE = 'a passphrase for the way';
const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const now = () => NOW;
const AT = new Date(NOW).toISOString();

async function openBackends() {
  const { store, bus } = openEmbeddedBackends();
  const secretBox = createSecretBox([generateEncryptionKey()]);
  for (const spec of COLLECTIONS) store.collection(spec);
  await store.ensureIndexes();
  return { store, bus, secretBox };
}
type Backends = Awaited<ReturnType<typeof openBackends>>;

const insert = ({ store }: Backends, spec: CollectionSpec, ...documents: AnyDocument[]) =>
  store.collection<AnyDocument>(spec).insertMany(documents);

async function allOf({ store }: Backends): Promise<Record<string, AnyDocument[]>> {
  const found = await Promise.all(
    COLLECTIONS.map(
      async (spec) =>
        [
          spec.name,
          (await store.collection(spec as CollectionSpec).find({}, { sort: ['_id'] })) as AnyDocument[],
        ] as const,
    ),
  );
  return Object.fromEntries(found.filter(([, documents]) => documents.length > 0));
}

const account = (accountId: string): AnyDocument => ({
  _id: accountId,
  name: 'Ada',
  plan: 'pro',
  createdAt: AT,
});

/** One of everything that an account owns, in each state that an import treats differently. */
async function fill(backends: Backends, accountId: string, prefix = ''): Promise<void> {
  const { secretBox } = backends;
  const id = (text: string) => text.replace('_', `_${prefix}`);
  const owned = { accountId, formId: id('frm_1') };
  const sealed = (text: string, context: string) => secretBox.seal(text, context);
  await insert(backends, ACCOUNTS, { ...account(accountId), bootstrappedAt: AT });
  await insert(backends, WEBHOOKS, {
    _id: id('whk_1'), ...owned,
    secret: sealed('webhook secret', webhookSecretContext(id('whk_1'))),
    headers: { shown: [], sealed: sealed('webhook headers', webhookSecretContext(id('whk_1'))) },
    signingKey: { privateKey: sealed('webhook key', webhookSecretContext(id('whk_1'))) },
    notices: [{ kind: 'warning', at: AT }], noticesAt: AT,
  }); // prettier-ignore
  await insert(backends, INBOUND_ENDPOINTS, {
    _id: id('inb_1'), ...owned, tokenHash: 'x',
    secret: sealed('inbound secret', inboundSecretContext(id('inb_1'))),
  }); // prettier-ignore
  await insert(backends, FORMS, { _id: id('frm_1'), accountId, name: 'Contact' });
  const userId = accountId === FIRST ? 'usr_00000000000000000000000001' : id('usr_1');
  await insert(backends, USERS, {
    _id: userId, accountId, email: `${prefix}ada@example.com`, passwordHash: 'x',
    totp: { secret: sealed('totp secret', totpSecretContext(userId)), enabledAt: AT, lastStep: 0 },
  }); // prettier-ignore
  const pendingEvents = [{ id: id('evt_1'), type: 'form.submission.new', timestamp: AT }];
  await insert(
    backends, SUBMISSIONS,
    { _id: id('sub_1'), ...owned, data: '{}', metadata: {}, createdAt: AT, pendingEvents, pendingKey: 'x' },
    { _id: id('sub_2'), ...owned, data: '{}', metadata: {}, createdAt: AT },
    { _id: id('sub_3'), accountId: '', formId: '', data: '{}', metadata: {}, createdAt: AT, erasedAt: AT },
  ); // prettier-ignore
  const task = { ...owned, history: [], rank: 0, createdAt: AT, expiresAt: AT };
  const notified = { notices: [{ kind: 'reminder', at: AT, to: [] }], noticesAt: AT, slack: { channel: 'C1' }, slackDue: AT }; // prettier-ignore
  const followedUp = { claimedBy: userId, claimedUntil: AT, followUpAt: AT, proposal: '{}', blockedAt: AT, approveAgainAt: AT, slackMailAt: AT }; // prettier-ignore
  await insert(
    backends, TASKS,
    { _id: id('tsk_1'), ...task, ...notified, ...followedUp, status: 'awaiting', dueAt: AT, dedupe: `${accountId}|order`, callback: { url: 'http://x', state: 'pending', attempts: [] } },
    { _id: id('tsk_2'), ...task, ...notified, status: 'approved', settledAt: AT, submissionId: id('sub_3'), erasedAt: AT },
    { _id: id('tsk_3'), ...task, accountId: '', formId: '', status: 'cancelled', dedupe: `${accountId}|sha256:abc`, erasedAt: AT },
    { _id: id('tsk_4'), ...task, accountId: '', formId: '', status: 'cancelled', dedupe: `${accountId}#sha256:abc`, erasedAt: AT },
  ); // prettier-ignore
  const delivery = {
    ...owned,
    webhookId: id('whk_1'),
    attempts: [],
    body: '{}',
    createdAt: AT,
    expireAt: '2030-01-01T00:00:00.000Z',
  };
  await insert(
    backends, DELIVERIES,
    { _id: id('del_1'), ...delivery, status: 'pending', dueAt: AT },
    { _id: id('del_2'), ...delivery, status: 'delivering', dueAt: AT, owner: 'p' },
    { _id: id('del_3'), ...delivery, status: 'held' },
    { _id: id('del_4'), ...delivery, status: 'delivered' },
  ); // prettier-ignore
  await insert(backends, WEBHOOK_HEALTH, {
    _id: id('whk_1|hour'), ...owned, webhookId: id('whk_1'), hour: AT, succeeded: 1, failed: 0,
    expireAt: '2030-01-01T00:00:00.000Z',
  }); // prettier-ignore
  await insert(backends, MAILS, {
    _id: id('mail_1'),
    accountId,
    to: 'a@b.c',
    status: 'pending',
    dueAt: AT,
    expireAt: '2030-01-01T00:00:00.000Z',
  });
  await insert(backends, MAILS, {
    _id: id('mail_2'), accountId, to: 'a@b.c', status: 'digested', digest: id('mail_1'), isCounted: false,
    expireAt: '2030-01-01T00:00:00.000Z',
  }); // prettier-ignore
}

const exportLines = (backends: Backends, accountId = ACCOUNT) =>
  exportAccount({ ...backends, passphrase: PASSPHRASE, now }, { _id: accountId, name: 'Ada' });

async function linesFrom(backends: Backends, accountId = ACCOUNT): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of exportLines(backends, accountId)) lines.push(line);
  return lines;
}

const eventOf = (accountId: string): BusEvent => ({
  id: newId('evt'), type: 'form.submission.new', accountId, formId: 'frm_1', submissionId: 'sub_2',
  timestamp: AT, body: '{}',
}); // prettier-ignore

/** Lets a consumer read all events. */
async function readAll({ bus }: Backends): Promise<void> {
  const consumption = await bus.consume('test', { batch: 100, ackWaitMs: 30_000 }, async () => {});
  await poll(async () => (await bus.lag('test')) === 0, { what: 'all events to be read' });
  await consumption.stop();
}

const opening = (lines: readonly string[]) => () =>
  linesOf(
    (async function* () {
      yield lines.join('');
    })(),
  );

const importTo = (
  { store, secretBox }: Pick<Backends, 'secretBox'> & { store: DocumentStore },
  lines: readonly string[],
  { continues = false, passphrase = PASSPHRASE } = {},
) => importAccount(opening(lines), { store, secretBox, passphrase, continues, now });

describe('the collections of an account', () => {
  it('are all collections of the product, except those that stay', () => {
    const decided = [...OWNED.map(({ spec }) => spec), ...NOT_MOVED].map(({ name }) => name);
    expect(decided.toSorted()).toEqual(COLLECTIONS.map(({ name }) => name).toSorted());
  });
});

describe('the export of an account', () => {
  it('contains what it owns, with its tombstones, and nothing of another account', async () => {
    const from = await openBackends();
    await fill(from, ACCOUNT);
    await fill(from, newId('acc'), 'other');
    const text = (await linesFrom(from)).join('');
    expect(text).not.toContain('other');
    for (const each of ['sub_1', 'sub_3', 'tsk_3', 'tsk_4', 'del_4', 'whk_1|hour', 'mail_1', 'usr_1'])
      expect(text).toContain(`"_id":"${each}"`);
  });

  it('contains no secret in plain text or under the encryption key', async () => {
    const from = await openBackends();
    await fill(from, ACCOUNT);
    const text = (await linesFrom(from)).join('');
    const webhook = await from.store.collection<WebhookRecord>(WEBHOOKS).findOne({});
    const { secret = '', headers, signingKey } = webhook ?? {};
    expect(text).not.toContain(secret);
    expect(text).not.toContain(headers?.sealed);
    expect(text).not.toContain('webhook secret');
    expect(text).not.toContain('webhook headers');
    expect(text).not.toContain(signingKey?.privateKey);
    expect(text).not.toContain('webhook key');
    expect(text).not.toContain(PASSPHRASE);
  });

  it('contains an unread event even if the log drops it before the end of the export', async () => {
    const from = await openBackends();
    await fill(from, ACCOUNT);
    const others = Array.from({ length: 1_000 }, (_, n) => ({ _id: `del_${1_000 + n}`, accountId: ACCOUNT }));
    await insert(from, DELIVERIES, ...others);
    const event = eventOf(ACCOUNT);
    const lines: string[] = [];
    for await (const line of exportLines(from)) {
      lines.push(line);
      const isBefore = line.includes('"_id":"frm_1"');
      if (isBefore) await from.bus.publish(eventOf(ACCOUNT));
      if (line.includes('"_id":"del_1"')) await from.bus.publish(event);
      if (!isBefore && !line.includes(event.id)) continue;
      await readAll(from);
      await from.bus.trim({ maxAgeMs: 0, maxBytes: 0 });
    }
    const events = lines.filter((line) => line.startsWith('{"event":'));
    expect(events).toEqual([expect.stringContaining(event.id)]);
    expect(await from.bus.oldest()).toBe(await from.bus.position());
  });

  it("can't be restored as a dump, nor a dump be imported", async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const lines = await linesFrom(from);
    await expect(restore(opening(lines)(), to)).rejects.toThrow('use "account import"');
    const whole: string[] = [];
    for await (const line of dump({ ...from, now })) whole.push(line);
    await expect(importTo(to, whole)).rejects.toThrow('use "restore"');
    expect(await allOf(to)).toEqual({});
  });
});

describe('the import of an account', () => {
  it('stores the same documents with --continue, and encrypts the secrets with the key of the installation', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    expect(await importTo(to, await linesFrom(from), { continues: true })).toMatchObject({
      id: ACCOUNT,
      inProgress: 5,
    });
    const [before, after] = [await allOf(from), await allOf(to)];
    const unsealed = (text: string) => text.replaceAll(/v1\.[0-9a-f]{16}\.[\w.-]+/g, 'sealed');
    // Only the mark of a first start is left out.
    const expected = JSON.stringify(before).replace(`,"bootstrappedAt":"${AT}"`, '');
    expect(unsealed(JSON.stringify(after))).toBe(unsealed(expected));
    const webhook = await to.store.collection<WebhookRecord>(WEBHOOKS).findOne({});
    const { secret = '', headers, signingKey } = webhook ?? {};
    expect(to.secretBox.open(secret, webhookSecretContext('whk_1'))).toBe('webhook secret');
    const opened = [headers?.sealed, signingKey?.privateKey].map((sealed = '') =>
      to.secretBox.open(sealed, webhookSecretContext('whk_1')),
    );
    expect(opened).toEqual(['webhook headers', 'webhook key']);
  });

  it('has the Slack messages of open tasks updated with --continue, because their buttons are sealed', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const tasks = ({ store }: Backends) => store.collection<TaskRecord>(TASKS);
    const posted = { slack: { channel: 'C1', ts: '1.2' } };
    await tasks(from).updateOne({ _id: 'tsk_1' }, { $set: posted, $unset: { slackDue: true } });

    await importTo(to, await linesFrom(from), { continues: true });

    expect(await tasks(to).findOne({ _id: 'tsk_1' })).toMatchObject({ ...posted, slackDue: AT });
  });

  it('ends work in progress without --continue, so that nothing is sent here', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    expect(await importTo(to, await linesFrom(from))).toMatchObject({ inProgress: 5 });
    const { submissions = [], tasks = [], deliveries = [], mails = [], webhooks = [] } = await allOf(to);
    expect(submissions[0]).not.toHaveProperty('pendingEvents');
    expect(submissions[0]).not.toHaveProperty('pendingKey');
    expect(tasks[0]).toMatchObject({
      status: 'cancelled',
      callback: { state: 'failed' },
      dedupe: `${ACCOUNT}|order`,
    });
    const [unfinished, finished] = [tasks[0], tasks[1]].map((each = { _id: '' }) => Object.keys(each));
    expect(unfinished).toEqual(expect.arrayContaining(['slack', 'history', 'dedupe']));
    for (const field of [...PENDING_TASK_FIELDS, 'callbackDue', 'notices', 'noticesAt', 'slackDue']) {
      expect(unfinished).not.toContain(field);
      expect(finished).not.toContain(field);
    }
    for (const field of ['notices', 'noticesAt']) expect(webhooks[0]).not.toHaveProperty(field);
    expect(deliveries.map(({ status, dueAt }) => [status, dueAt])).toEqual([
      ['failed', undefined],
      ['failed', undefined],
      ['failed', undefined],
      ['delivered', undefined],
    ]);
    expect(mails).toMatchObject([{ status: 'failed' }, { status: 'digested' }]);
    expect(mails[0]).not.toHaveProperty('dueAt');
    // It would move to a new digest when its event is published again.
    expect(mails[1]).not.toHaveProperty('isCounted');
  });

  it('puts events that nobody has read back into their documents with --continue', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const event = eventOf(ACCOUNT);
    await from.bus.publish(event);
    await from.bus.publish(eventOf(newId('acc')));
    await importTo(to, await linesFrom(from), { continues: true });
    const stored = await to.store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id: 'sub_2' });
    expect(stored?.pendingEvents).toEqual([{ id: event.id, type: event.type, timestamp: AT }]);
    expect(stored?.pendingKey).toBe(`${AT}|sub_2|form.submission.new`);
  });

  it('gives the first account of an installation new ids, the same for the same export', async () => {
    const [from, to, another] = [await openBackends(), await openBackends(), await openBackends()];
    await fill(from, FIRST);
    await fill(to, FIRST, 'own');
    const first = { _id: 'usr_00000000000000000000000001', accountId: FIRST } as UserRecord;
    const [code = '', other = ''] = await createTotp({ ...from, now }).replaceRecoveryCodes(first);
    const before = await allOf(to);
    const lines = await linesFrom(from, FIRST);
    const { id, originalId } = await importTo(to, lines, { continues: true });
    expect([id, originalId]).toEqual([expect.stringMatching(/^acc_[0-9A-Z]{26}$/), FIRST]);
    expect(id).not.toBe(FIRST);
    expect((await importTo(another, lines)).id).toBe(id);
    const after = await allOf(to);
    expect(after['accounts']?.find(({ _id }) => _id === FIRST)).toEqual(before['accounts']?.[0]);
    expect(after['tasks']?.find(({ _id }) => _id === 'tsk_1')).toMatchObject({
      accountId: id,
      dedupe: `${id}|order`,
    });
    const user = await to.store.collection<UserRecord>(USERS).findOne({ email: 'ada@example.com' });
    expect(user?._id).not.toBe('usr_00000000000000000000000001');
    expect(to.secretBox.open(user?.totp?.secret ?? '', totpSecretContext(user?._id ?? ''))).toBe(
      'totp secret',
    );
    if (!user) throw new Error('the user is not stored');
    const totp = createTotp({ ...to, now });
    const found = await totp.find(user, code);
    expect([found?.factor, await found?.use()]).toEqual(['recovery code', true]);
    expect([await totp.find(user, code), await totp.find(first, other)]).toEqual([null, null]);
  });

  it('is refused the second time, and changes nothing then', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const lines = await linesFrom(from);
    await importTo(to, lines);
    const before = await allOf(to);
    await expect(importTo(to, lines)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `this installation has ${ACCOUNT} (Ada) already; nothing was imported`,
    });
    expect(await allOf(to)).toEqual(before);
  });

  it.each<[string, CollectionSpec, AnyDocument, string]>([
    ['an id', FORMS, { _id: 'frm_1', accountId: 'acc_2' }, 'already has forms frm_1 of acc_2'],
    [
      'the email of a user',
      USERS,
      { _id: 'usr_9', accountId: 'acc_2', email: 'ada@example.com' },
      "already has users usr_9 with the email ada@example.com of acc_2; two users can't have the same email: change it here and import again, or ",
    ],
    [
      'a tombstone',
      SUBMISSIONS,
      { _id: 'sub_2', accountId: '', erasedAt: AT },
      'already has submissions sub_2',
    ],
    [
      'the deletion of the account',
      ERASURES,
      { ...newErasure({ _id: ACCOUNT, kind: 'account', accountId: ACCOUNT, at: AT }) },
      `${ACCOUNT} was deleted in this installation`,
    ],
    [
      'the deletion of a form',
      ERASURES,
      { ...newErasure({ _id: 'frm_1', kind: 'form', accountId: FIRST, at: AT }) },
      'forms frm_1 were deleted in this installation, and deleted data does not come back',
    ],
  ])(
    'is refused before it stores anything when the installation has %s',
    async (_, spec, document, message) => {
      const [from, to] = [await openBackends(), await openBackends()];
      await fill(from, ACCOUNT);
      await insert(to, spec, document);
      const before = await allOf(to);
      await expect(importTo(to, await linesFrom(from))).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/nothing was imported$/) as string,
      });
      await expect(importTo(to, await linesFrom(from))).rejects.toThrow(message);
      expect(await allOf(to)).toEqual(before);
    },
  );

  it.each([
    ['https://id.example|a|b', 'https://id.example/|a|b'],
    ['https://id.example/|a|b', 'https://id.example|a|b'],
    ['https://id.example|a|b', 'https://id.example|a|b'],
  ])('is refused if the login %s exists as %s', async (moved, oidcSubject) => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const user = { accountId: ACCOUNT, email: 'eve@example.com' };
    await insert(from, USERS, { ...user, _id: 'usr_8', oidcSubject: moved });
    await insert(to, USERS, { _id: 'usr_9', accountId: 'acc_2', email: 'e@example.org', oidcSubject });
    const before = await allOf(to);
    await expect(importTo(to, await linesFrom(from))).rejects.toThrow(
      'already has users usr_9 with the same login at the identity provider of acc_2',
    );
    expect(await allOf(to)).toEqual(before);
  });

  it('is refused before it stores anything with another passphrase or a damaged file', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const lines = await linesFrom(from);
    await expect(importTo(to, lines, { passphrase: 'another passphrase' })).rejects.toThrow(
      'the passphrase is not',
    );
    const changed = lines.map((line) => line.replace('Contact', 'Contakt'));
    await expect(importTo(to, changed)).rejects.toThrow('its checksum does not match');
    await expect(importTo(to, lines.slice(0, -1))).rejects.toThrow('truncated');
    await expect(importTo(to, [])).rejects.toThrow('the input is empty');
    expect(await allOf(to)).toEqual({});
  });

  it('continues with the same file after an interruption, and refuses another one', async () => {
    const [from, to] = [await openBackends(), await openBackends()];
    await fill(from, ACCOUNT);
    const lines = await linesFrom(from);
    const failing = <T extends StoredDocument>(collection: Collection<T>) =>
      new Proxy(collection, {
        get(target, name) {
          if (name === 'insertMany') return () => Promise.reject(new Error('the store is unavailable'));
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    const interrupted: DocumentStore = {
      ...to.store,
      collection<T extends StoredDocument>(spec: CollectionSpec) {
        const collection = to.store.collection<T>(spec);
        return spec.name === TASKS.name ? failing(collection) : collection;
      },
    };
    await expect(importTo({ ...to, store: interrupted }, lines)).rejects.toThrow('the store is unavailable');
    expect(await to.store.collection(USERS).count({})).toBe(0);
    await expect(importTo(to, await linesFrom(from))).rejects.toThrow('repeat it with that file');

    await expect(importTo(to, lines, { continues: true })).rejects.toThrow('repeat it with that file');

    await importTo(to, lines);

    const whole = await openBackends();
    await importTo(whole, lines);
    const texts = async (backends: Backends) =>
      JSON.stringify(await allOf(backends)).replaceAll(/v1\.[0-9a-f]{16}\.[\w.-]+/g, 'sealed');
    expect(await texts(to)).toBe(await texts(whole));
    expect(await to.store.collection<AccountRecord>(ACCOUNTS).findOne({})).not.toHaveProperty('importing');
  });
});
