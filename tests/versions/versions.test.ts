import { newId, type NotificationAddressOut } from '@svcforms/contracts';
import { atEnd, createClient, describeWith, root, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { restoredScenarios } from '../backup/restored-scenarios.ts';
import type { Fixture } from '../backup/fixture.ts';
import {
  embeddedStorage,
  backendStorage,
  startStandalone,
  type Storage,
  type Stack,
} from '../backup/stacks.ts';
import { makeFixture, readFixture, type Line } from './fixture.ts';

jest.setTimeout(120_000);

const FOLDER = `${root}tests/versions`;
const VERSIONS = readdirSync(FOLDER).filter((name) => name.startsWith('stored-by-'));

/** Fields that may be absent in documents of an earlier version. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['place', 'description', 'previousSecrets', 'pausedUntil', 'givenUpAt', 'warnedAt'],
  deliveries: ['requestId', 'attemptsBefore', 'recoveredBy', 'waiting', 'owner'],
  forms: ['description', 'verifiesRecipients'],
  users: ['taskEmails'],
  tasks: ['title', 'emitsSubmission', 'requireComment', 'rejectOptions', 'prefillHash'],
};

/** Fields that a newer version might add to any document. */
const FROM_NEWER = { since: '9.0.0', parts: [1, { deep: null }], flag: true };
const NEWER_FIELD = { name: 'autograph', type: 'signature', stroke: { width: 2 } };
const NEWER_EVENT = 'form.archived';

type Change = (lines: Line[], fixture: Fixture) => Line[];

const asItIs: Change = (lines) => lines;

/** A recipient of forms saved before addresses were verified. */
const OLD_RECIPIENT = 'old-recipient@example.com';

/** Removes fields that an older version didn't write. */
const asOlder: Change = (lines, fixture) => {
  const { title: _, ...task } = fixture.task;
  fixture.task = task as Fixture['task'];
  fixture.form.settings.notifications = { emails: [OLD_RECIPIENT] };
  return lines.map((line) => {
    const absent = OPTIONAL[line.in ?? ''] ?? [];
    const more = line.in === 'forms' ? { settings: fixture.form.settings } : {};
    const present = Object.entries({ ...line.document, ...more }).filter(([name]) => !absent.includes(name));
    return line.document ? { ...line, document: Object.fromEntries(present) } : line;
  });
};

/**
 * Adds fields, field values and events that only a newer version writes, which may still run next
 * to this one.
 */
const asNewer: Change = (lines, fixture) => {
  fixture.form.fields.push(NEWER_FIELD as never);
  const { accountId, id: formId } = fixture.form;
  const timestamp = new Date().toISOString();
  const more = (collection: string, document: Record<string, unknown>) => {
    if (collection === 'forms') return { fields: fixture.form.fields };
    if (collection === 'webhooks') return { events: [...(document['events'] as string[]), NEWER_EVENT] };
    if (collection === 'api_keys') return { scopes: [...(document['scopes'] as string[]), 'audits:read'] };
    if (collection === 'tasks') {
      return {
        history: [...(document['history'] as object[]), { at: timestamp, event: 'escalated', to: 'x' }],
      };
    }
    return {};
  };
  const changed = lines.map((line) =>
    line.in && line.document
      ? { ...line, document: { ...line.document, ...more(line.in, line.document), fromNewer: FROM_NEWER } }
      : line,
  );
  const owing: Line = {
    in: 'submissions',
    document: {
      _id: newId('sub'),
      accountId,
      formId,
      data: '{}',
      metadata: { submittedVia: 'web', device: 'kiosk' },
      createdAt: timestamp,
      pendingEvents: [{ id: newId('evt'), type: 'submission.revised', timestamp }],
      pendingKey: `${timestamp}|x`,
      fromNewer: FROM_NEWER,
    },
  };
  const events: Line[] = [
    {
      event: {
        id: newId('evt'),
        type: NEWER_EVENT,
        accountId,
        formId,
        timestamp,
        by: 'usr',
        body: '{"a":1}',
      },
    },
    { event: { id: newId('evt'), type: 'hitl.task.escalated', accountId, formId, timestamp, body: null } },
  ];
  return [...changed.slice(0, -1), owing, ...events, ...changed.slice(-1)];
};

interface RestoredStack {
  fixture: Fixture;
  env: Record<string, string>;
  /** The ids of the restored documents. */
  ids: ReadonlySet<unknown>;
  stack: Stack;
}

async function restore(version: string, storage: Storage, change: Change): Promise<RestoredStack> {
  const { fixture, lines } = await readFixture(join(FOLDER, version));
  const env = { ...fixture.env, ...storage };
  const file = join(tempFolder(), 'dump.ndjson');
  const changed = change(lines, fixture);
  writeFileSync(file, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const ids = new Set(changed.flatMap(({ document }) => document?.['_id'] ?? []));
  const { code, stderr } = await runToEnd('admin', { args: ['restore', file], env });
  if (code !== 0) throw new Error(`restore exited with ${code}: ${stderr}`);
  const stack = await startStandalone(env, fixture.apiKey, { fullPasswordCost: true });
  return { fixture, env, ids, stack };
}

/** Returns all stored documents. */
async function documentsNow(env: Record<string, string>): Promise<Line[]> {
  const file = join(tempFolder(), 'dump.ndjson');
  await runToEnd('admin', { args: ['dump', file], env });
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).filter(({ document }) => document);
}

const CHANGES: Readonly<Record<string, Change>> = {
  unchanged: asItIs,
  'as written by an older version': asOlder,
  'as written by a newer version': asNewer,
};

function describeVersions(title: string, storage: () => Promise<Storage>): void {
  describe.each(VERSIONS)(`data of %s, ${title},`, (version) => {
    const stacks = new Map<Change, RestoredStack>();
    // Restores all of them in parallel, because each waits for several conditions.
    beforeAll(async () => {
      await Promise.all(
        Object.values(CHANGES).map(async (change) =>
          stacks.set(change, await restore(version, await storage(), change)),
        ),
      );
    });
    afterAll(() => Promise.all([...stacks.values()].map(({ stack }) => stack.stop())));

    describe.each(Object.entries(CHANGES))('%s', (_, change) => {
      const restoredStack = () => stacks.get(change) as RestoredStack;
      restoredScenarios(() => ({ ...restoredStack(), keepsPositions: false }));
      if (change === asOlder) savedAddressScenarios(restoredStack);
      if (change === asNewer) unknownDataScenarios(restoredStack);
    });
  });
}

function savedAddressScenarios(restored: () => RestoredStack): void {
  it('treats the notification addresses that a form names as verified', async () => {
    const { body } = await restored().stack.forms.get<NotificationAddressOut[]>(
      '/api/notification-addresses',
      {
        expect: 200,
      },
    );
    expect(body.data.map(({ email, status }) => [email, status])).toEqual([[OLD_RECIPIENT, 'verified']]);
  });
}

function unknownDataScenarios(restored: () => RestoredStack): void {
  it('accepts values for a field of an unknown type', async () => {
    const { fixture, stack } = restored();
    const data = { email: 'ada@example.com', autograph: { strokes: [1, 2] } };
    const path = `/api/forms/${fixture.form.id}/submissions`;
    await stack.forms.post(path, { body: { data }, expect: 201 });
  });

  it('keeps every unknown field in every update', async () => {
    const { fixture, stack, env, ids } = restored();
    const webhook = `/api/forms/${fixture.form.id}/webhooks/${fixture.webhookIds.prompt}`;
    await stack.forms.patch(webhook, { body: { description: 'changed here' }, expect: 200 });
    await stack.forms.post(`${webhook}/rotate-secret`, { body: {}, expect: 200 });
    await stack.forms.patch(`/api/forms/${fixture.form.id}/inbound`, {
      body: { isEnabled: false },
      expect: 200,
    });
    const fields = fixture.form.fields.filter(({ name }) => name !== NEWER_FIELD.name);
    const form = { name: 'Changed here', fields, settings: fixture.form.settings };
    await stack.forms.put(`/api/forms/${fixture.form.id}`, { body: form, expect: 200 });

    const kept = (await documentsNow(env)).filter(({ document }) => ids.has(document?.['_id']));
    const without = kept.filter(
      ({ document }) => JSON.stringify(document?.['fromNewer']) !== JSON.stringify(FROM_NEWER),
    );
    expect(kept.length).toBeGreaterThan(15);
    // Documents that this version created since its start.
    const ofThisVersion = ['sessions', 'login_failures', 'inbound_requests', 'idempotency_keys'];
    expect(
      without.filter((line) => !ofThisVersion.includes(line.in ?? '')).map(({ document }) => document),
    ).toEqual([]);
  });

  it('leaves events that only a newer version can publish to that version', async () => {
    const { env } = restored();
    const owing = (await documentsNow(env)).filter(({ document }) => document?.['pendingEvents']);
    expect(owing.map(({ document }) => document?.['pendingEvents'])).toEqual([
      [expect.objectContaining({ type: 'submission.revised' })],
    ]);
  });

  it('logs no error', async () => {
    const { fixture, stack } = restored();
    const { status } = await createClient({ baseUrl: stack.streamsUrl, token: fixture.apiKey }).get(
      '/readyz',
    );
    expect(status).toBe(200);
    expect(stack.output()).not.toMatch(/"level":"(error|fatal)"/);
  });
}

const target = process.env['SVC_TEST_FIXTURE_FOLDER'];
if (target !== undefined) {
  describe('a fixture', () => {
    it('is created', async () => {
      await makeFixture(target);
    });
  });
}

describeVersions('on the embedded stores', async () => embeddedStorage());

describeWith(['nats', 'mongo'], 'on real backends', () => {
  describeVersions('on NATS and MongoDB', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    return backendStorage(nats.url);
  });
});
