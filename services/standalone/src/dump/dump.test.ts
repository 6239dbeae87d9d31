import { newId, type BusEvent } from '@svcforms/contracts';
import { readSettings } from '@svcforms/runtime';
import type { CollectionSpec, DocumentStore, StoredDocument } from '@svcforms/document-store';
import { createEmbeddedStore, openEmbeddedDatabase } from '@svcforms/document-store/embedded';
import { createEmbeddedBus } from '@svcforms/event-bus/embedded';
import { createHost, hostSettings, IDEMPOTENCY_KEYS } from '@svcforms/http';
import { ACCOUNTS, bootstrap } from '@svcforms/identity';
import { createLogger } from '@svcforms/runtime';
import { createOutbound } from '@svcforms/service-runner';
import {
  DELIVERIES,
  ERASURES,
  FORMS,
  INBOUND_ENDPOINTS,
  newErasure,
  SUBMISSIONS,
  TASKS,
  WEBHOOKS,
  webhookSecretContext,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import { MAILS } from '@svcforms/webhook-dispatcher/collections';
import { atEnd, poll, tempFolder } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { openEmbeddedBackends } from '../../test/embedded-backends.ts';
import { deleteAccount } from '../admin/delete-account.ts';
import { createServices } from '../services.ts';
import { COLLECTIONS } from './collections.ts';
import { dump, dumpErasures } from './dump.ts';
import { restoreFrom } from './files.ts';
import { linesOf } from './lines.ts';
import { restore } from './restore.ts';

type AnyDocument = StoredDocument & Record<string, unknown>;

const AT = '2026-01-01T00:00:00.000Z';
const SECRET_BOX = createSecretBox([generateEncryptionKey()]);

type Backends = ReturnType<typeof openEmbeddedBackends>;

async function linesFrom(backends: Backends): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dump({ ...backends, now: Date.now })) lines.push(line);
  return lines;
}

/** In pieces that end anywhere. */
async function* piecesOf(lines: readonly string[]) {
  const text = lines.join('');
  for (let at = 0; at < text.length; at += 997) yield text.slice(at, at + 997);
}

const restoreTo = (
  backends: Backends,
  lines: readonly string[],
  secretBox = SECRET_BOX,
  ...erasures: (readonly string[])[]
) => {
  const later = erasures.map((each) => linesOf(piecesOf(each)));
  return restore(linesOf(piecesOf(lines)), { ...backends, secretBox, erasures: later });
};

async function erasuresOf(backends: Backends): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dumpErasures({ ...backends, now: Date.now })) lines.push(line);
  return lines;
}

async function allOf({ store }: Backends): Promise<Record<string, StoredDocument[]>> {
  const found = await Promise.all(
    COLLECTIONS.map(
      async (spec) => [spec.name, await store.collection(spec).find({}, { sort: ['_id'] })] as const,
    ),
  );
  return Object.fromEntries(found.filter(([, documents]) => documents.length > 0));
}

const insert = (backends: Backends, spec: CollectionSpec, ...documents: AnyDocument[]) =>
  backends.store.collection<AnyDocument>(spec).insertMany(documents);

function anEvent(accountId = 'acc_1'): BusEvent {
  const type = 'form.submission.new';
  return {
    id: newId('evt'),
    type,
    accountId,
    formId: 'frm_1',
    timestamp: new Date().toISOString(),
    body: '{"a":"\u2028"}',
  };
}

async function eventsOf({ bus }: Backends, count: number): Promise<string[]> {
  const ids: string[] = [];
  const consumption = await bus.consume('test', { batch: 100, ackWaitMs: 30_000 }, async (batch) => {
    ids.push(...batch.map(({ event }) => event.id));
  });
  await poll(() => ids.length >= count, { what: `${count} events` });
  await consumption.stop();
  return ids;
}

describe('the list of collections', () => {
  it('has every collection of the product, with its specs', async () => {
    const { store, bus } = openEmbeddedBackends();
    const used = new Map<string, CollectionSpec>();
    const watched: DocumentStore = {
      ...store,
      collection<T extends StoredDocument>(spec: CollectionSpec) {
        used.set(spec.name, spec);
        return store.collection<T>(spec);
      },
    };
    // Some features open their collections only if they are on.
    const settings = readSettings({
      SVC_OIDC_ISSUER: 'https://login.example.com',
      SVC_OIDC_CLIENT_ID: 'svcforms',
    });
    const log = createLogger({ name: 'test', level: 'silent', to: 2 });
    const { services, close } = createServices(settings, {
      store: watched,
      bus,
      isEmbeddedStore: true,
      insertWithEvents: undefined,
      ...(await createOutbound(settings)),
      secretBox: SECRET_BOX,
      log,
    });
    createHost({ ...hostSettings(settings), services }, { store: watched, bus, log });
    close();
    const byName = (specs: Iterable<CollectionSpec>) =>
      [...specs].toSorted((one, another) => (one.name < another.name ? -1 : 1));
    expect(byName(COLLECTIONS)).toEqual(byName(used.values()));
  });
});

describe('a dump', () => {
  it('restores the same documents into an empty store', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, FORMS, {
      _id: 'frm_1',
      name: 'line\u2028separator \n 😀',
      fromLater: { x: [1, null] },
    });
    const many = Array.from({ length: 321 }, (_, n) => ({
      _id: newId('sub'),
      formId: 'frm_1',
      data: `"${n}"`,
    }));
    await insert(from, SUBMISSIONS, ...many, { _id: newId('sub'), data: 'x'.repeat(3_000_000) });
    await insert(from, TASKS, { _id: 'tsk_1', status: 'awaiting', dueAt: '2030-01-01T00:00:00.000Z' });

    const restored = await restoreTo(to, await linesFrom(from));

    expect(restored).toEqual({ documents: 324, events: 0 });
    expect(await allOf(to)).toEqual(await allOf(from));
  });

  it('is restored without test events, which may have been erased after it', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    const delivery = { accountId: 'acc_1', body: '{}', expireAt: '2100-01-01T00:00:00.000Z' };
    await insert(
      from,
      DELIVERIES,
      { _id: 'del_1', ...delivery, status: 'delivered' },
      { _id: 'del_2', ...delivery, status: 'test-delivered' },
      { _id: 'del_3', ...delivery, status: 'test-failed' },
    );

    await restoreTo(to, await linesFrom(from));

    expect((await allOf(to))[DELIVERIES.name]?.map(({ _id }) => _id)).toEqual(['del_1']);
  });

  it('contains only the events that some consumer has not read, in their order', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    const [read, unread] = [anEvent(), Array.from({ length: 250 }, () => anEvent())];
    await from.bus.publish(read);
    await eventsOf(from, 1);
    for (const event of unread) await from.bus.publish(event);

    expect(await restoreTo(to, await linesFrom(from))).toEqual({ documents: 0, events: 250 });
    expect(await eventsOf(to, 250)).toEqual(unread.map(({ id }) => id));
  });

  it('ends even if the newest event that some consumer has not read was erased', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    const [kept, erased] = [anEvent(), anEvent('acc_2')];
    await from.bus.publish(kept);
    await from.bus.publish(erased);
    await from.bus.erase('acc_2', 'all');

    expect(await restoreTo(to, await linesFrom(from))).toEqual({ documents: 0, events: 1 });
    expect(await eventsOf(to, 1)).toEqual([kept.id]);
  });

  it('contains events that the running product publishes after the dump has opened the log', async () => {
    const path = join(tempFolder(), 'svcforms.db');
    const database = openEmbeddedDatabase(path);
    const [store, bus] = [createEmbeddedStore(database), createEmbeddedBus(database)];
    const shared = openEmbeddedDatabase(path, { shared: true });
    const beside = { store: createEmbeddedStore(shared), bus: createEmbeddedBus(shared, { shared: true }) };
    atEnd(async () => {
      for (const each of [beside.bus, beside.store, shared, bus, store, database]) await each.close();
    });
    const event = anEvent();
    await bus.publish(event);
    const to = openEmbeddedBackends();
    expect(await restoreTo(to, await linesFrom(beside))).toEqual({ documents: 0, events: 1 });
    expect(await eventsOf(to, 1)).toEqual([event.id]);
  });

  it('adds no event twice to a log that still exists because only the store was lost', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    const [held, lost] = [anEvent(), anEvent('acc_2')];
    await from.bus.publish(held);
    await from.bus.publish(lost);
    await to.bus.publish(held);

    expect(await restoreTo(to, await linesFrom(from))).toEqual({ documents: 0, events: 1 });
    expect(await eventsOf(to, 2)).toEqual([held.id, lost.id]);
  });

  it('contains an event that leaves its document during the dump, and the submission of a task that is resolved meanwhile', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, SUBMISSIONS, { _id: 'sub_1', pendingKey: 'x', data: '{}' });
    await insert(from, TASKS, { _id: 'tsk_1', status: 'awaiting' });
    const event = anEvent();
    const lines: string[] = [];
    for await (const line of dump({ ...from, now: Date.now })) {
      lines.push(line);
      if (!line.includes('"sub_1"')) continue;
      // Between the reading of the submissions and that of the tasks.
      const settled = {
        status: 'approved',
        submissionId: 'sub_2',
        settledAt: new Date().toISOString(),
      } as const;
      await from.store.collection(TASKS).updateOne({ _id: 'tsk_1' }, { $set: settled });
      await insert(from, SUBMISSIONS, { _id: 'sub_2', data: '{}', metadata: { taskId: 'tsk_1' } });
      await from.bus.publish(event);
    }

    await restoreTo(to, lines);

    expect((await allOf(to))['submissions']?.map(({ _id }) => _id)).toContain('sub_2');
    expect(await eventsOf(to, 1)).toEqual([event.id]);
  });

  it('contains each unread event even if the log drops it before the end of the dump', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, SUBMISSIONS, { _id: 'sub_1', data: '{}' });
    const deliveries = Array.from({ length: 1_500 }, (_, n) => ({
      _id: `dlv_${String(n).padStart(4, '0')}`,
    }));
    await insert(from, DELIVERIES, ...deliveries);
    const readAndDrop = async (event: BusEvent) => {
      expect(await eventsOf(from, 1)).toEqual([event.id]);
      await from.bus.trim({ maxAgeMs: 0, maxBytes: 0 });
    };
    const [early, late] = [anEvent(), anEvent()];
    const lines: string[] = [];
    for await (const line of dump({ ...from, now: Date.now })) {
      lines.push(line);
      if (line.includes('"sub_1"')) {
        await from.bus.publish(early);
        await readAndDrop(early);
      } else if (line.includes('"dlv_0000"')) {
        await from.bus.publish(late);
      } else if (line.includes(late.id)) {
        await readAndDrop(late);
      }
    }

    // What consumers have made of the early event would be among the deliveries.
    expect(await restoreTo(to, lines)).toEqual({ documents: 1_501, events: 1 });
    expect(await eventsOf(to, 1)).toEqual([late.id]);
    expect(await from.bus.oldest()).toBe(await from.bus.position());
  });

  it('is restored only into an empty store', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, FORMS, { _id: 'frm_1' });
    await insert(to, TASKS, { _id: 'tsk_1' });
    await expect(restoreTo(to, await linesFrom(from))).rejects.toThrow('the store is not empty (tasks)');
    expect(await to.store.collection(FORMS).count({})).toBe(0);
  });

  const [lost, kept] = [generateEncryptionKey(), generateEncryptionKey()];
  const [sealedByLost = '', sealedByKept = ''] = [lost, kept].map((key) =>
    createSecretBox([key]).seal('a secret', webhookSecretContext('whk_1')),
  );
  it.each([
    ['secret', { secret: sealedByLost }],
    ['custom headers', { secret: sealedByKept, headers: { shown: [], sealed: sealedByLost } }],
    ['signing key', { secret: sealedByKept, signingKey: { privateKey: sealedByLost } }],
  ])("is refused before anything is stored where the %s of a webhook can't be opened", async (_, webhook) => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, WEBHOOKS, { _id: 'whk_1', ...webhook });
    await insert(from, FORMS, { _id: 'frm_1' });
    const lines = await linesFrom(from);
    await expect(restoreTo(to, lines, createSecretBox([kept]))).rejects.toMatchObject({
      code: 'UNKNOWN_KEY',
    });
    expect(await allOf(to)).toEqual({});
    const all = createSecretBox([kept, lost]);
    expect(await restoreTo(to, lines, all)).toEqual({ documents: 2, events: 0 });
  });

  const damages: [string, (lines: string[]) => string[], string][] = [
    ['is empty', () => [], 'not a dump'],
    ['is something else', () => ['PK\u0003\u0004'], 'line 1 is not a line of a dump'],
    ['has no head', (lines) => lines.slice(1), 'line 1 is not the head of a dump'],
    [
      'has other lines',
      ([head = '']) => [head, '{"collection":"forms"}\n'],
      'line 2 is not a line of a dump',
    ],
    ['has no end', (lines) => lines.slice(0, -1), 'truncated after line 3; the store is incomplete: delete'],
    ['ends within a line', ([head = '', first = '']) => [head, first.slice(0, 20)], 'line 2 is not a line'],
    [
      'is of a newer version',
      ([head = '', ...rest]) => [head.replace('"webhooks"', '"audits","webhooks"'), ...rest],
      'a newer version created the dump (it contains audits)',
    ],
    [
      'is of a newer format',
      ([head = '', ...rest]) => [head.replace('"svcformsDump":1', '"svcformsDump":2'), ...rest],
      'a newer version created the dump (its format is 2)',
    ],
  ];

  it('is restored without the data of a form that was deleted after it', async () => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    const [accountId, expireAt] = ['acc_1', '2100-01-01T00:00:00.000Z'];
    for (const n of [1, 2]) {
      const formId = `frm_${n}`;
      await insert(from, FORMS, { _id: formId, accountId });
      const endpoint = { accountId, name: 'CRM', token: `token ${n}` };
      await insert(from, INBOUND_ENDPOINTS, { _id: `inb_${n}0`, ...endpoint, formId });
      await insert(from, INBOUND_ENDPOINTS, { _id: `inb_${n}1`, ...endpoint, formId: `${formId}|1` });
      await insert(from, MAILS, {
        _id: `mail_${n}`,
        accountId,
        subject: { kind: 'digest', formId },
        expireAt,
      });
      await insert(from, IDEMPOTENCY_KEYS, {
        _id: `reply_${n}`,
        accountId,
        about: formId,
        reply: '{}',
        expireAt,
      });
    }
    const lines = await linesFrom(from);
    await insert(from, ERASURES, { ...newErasure({ _id: 'frm_1', kind: 'form', accountId, at: AT }) });

    await restoreTo(to, lines, SECRET_BOX, await erasuresOf(from));

    const restored = Object.values(await allOf(to)).flat();
    const ids = restored.map(({ _id }) => _id).toSorted();
    expect(ids).toEqual(['frm_1', 'frm_2', 'inb_20', 'inb_21', 'mail_2', 'reply_2']);
    expect(await to.store.collection(FORMS).find({})).toMatchObject([{ _id: 'frm_2' }]);
  });

  it.each(['an empty store', 'its own store'])(
    'is restored into %s without the first account, which a start does not create again',
    async (target) => {
      const from = openEmbeddedBackends();
      const settings = readSettings({ SVC_BOOTSTRAP_EMAIL: 'ada@example.com' });
      const passwords = { hash: async () => 'x' };
      await bootstrap({ ...from, passwords }, settings);
      const lines = await linesFrom(from);
      const [{ _id: accountId } = { _id: '' }] = await from.store.collection(ACCOUNTS).find({});
      await deleteAccount({ ...from, now: Date.now }, accountId);
      const to = target === 'an empty store' ? openEmbeddedBackends() : from;

      await restoreTo(to, lines, SECRET_BOX, await erasuresOf(from));

      expect(await bootstrap({ ...to, passwords }, settings)).toBeNull();
      const { accounts = [], users, api_keys: keys } = await allOf(to);
      expect(accounts).toMatchObject([{ _id: accountId, name: '', erasedAt: expect.any(String) }]);
      expect([users, keys]).toEqual([undefined, undefined]);
    },
  );

  it.each(damages)('that %s is refused with the reason', async (_, damage, message) => {
    const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
    await insert(from, FORMS, { _id: 'frm_1' }, { _id: 'frm_2' });
    await expect(restoreTo(to, damage(await linesFrom(from)))).rejects.toThrow(message);
  });

  it.each(damages)(
    'is refused with a file of erasures that %s, before anything is stored',
    async (_, damage) => {
      const [from, to] = [openEmbeddedBackends(), openEmbeddedBackends()];
      const text = (await linesFrom(from)).join('');
      const [file, erasuresFile] = [join(tempFolder(), 'dump'), join(tempFolder(), 'erasures')];
      writeFileSync(file, text);
      const erasure = newErasure({
        _id: 'frm_1',
        kind: 'form',
        accountId: 'acc_1',
        at: AT,
      });
      await insert(from, ERASURES, { ...erasure });
      await insert(from, SUBMISSIONS, {
        _id: 'sub_1',
        accountId: '',
        formId: '',
        erasedAt: AT,
      });
      writeFileSync(erasuresFile, damage(await linesFrom(from)).join(''));
      for (const source of [file, '-']) {
        const deps = { ...to, secretBox: SECRET_BOX, stdin: Readable.from([text]), erasuresFile };
        await expect(restoreFrom(source, deps)).rejects.toThrow('the file of erasures');
      }
      expect(await allOf(to)).toEqual({});
    },
  );
});
