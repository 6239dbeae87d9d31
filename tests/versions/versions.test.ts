import { newId, type NotificationAddressOut } from '@svcforms/contracts';
import { atEnd, createClient, describeWith, root, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { itGoesOn } from '../backup/goes-on.ts';
import type { Life } from '../backup/life.ts';
import { anEmbeddedPlace, aPlaceOnEngines, startStandalone, type Place, type Side } from '../backup/sides.ts';
import { makeFixture, readFixture, type Line } from './fixture.ts';

jest.setTimeout(120_000);

const FOLDER = `${root}tests/versions`;
const VERSIONS = readdirSync(FOLDER).filter((name) => name.startsWith('stored-by-'));

/** What this version may find absent in documents of one before it. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  webhooks: ['place', 'description', 'previousSecrets', 'pausedUntil', 'givenUpAt', 'warnedAt'],
  deliveries: ['requestId', 'attemptsBefore', 'recoveredBy', 'waiting', 'owner'],
  forms: ['description', 'verifiesRecipients'],
  users: ['taskEmails'],
  tasks: ['title', 'emitsSubmission', 'requireComment', 'rejectOptions', 'prefillHash'],
};

/** What a newer version might add to any document. */
const FROM_NEWER = { since: '9.0.0', parts: [1, { deep: null }], flag: true };
const NEWER_FIELD = { name: 'autograph', type: 'signature', stroke: { width: 2 } };
const NEWER_EVENT = 'form.archived';

type Change = (lines: Line[], life: Life) => Line[];

const asItIs: Change = (lines) => lines;

/** Of forms that were saved before addresses were verified. */
const OLD_RECIPIENT = 'old-recipient@example.com';

/** Without what an older version didn't write yet. */
const asOlder: Change = (lines, life) => {
  const { title: _, ...task } = life.task;
  life.task = task as Life['task'];
  life.form.settings.notifications = { emails: [OLD_RECIPIENT] };
  return lines.map((line) => {
    const absent = OPTIONAL[line.in ?? ''] ?? [];
    const more = line.in === 'forms' ? { settings: life.form.settings } : {};
    const present = Object.entries({ ...line.document, ...more }).filter(([name]) => !absent.includes(name));
    return line.document ? { ...line, document: Object.fromEntries(present) } : line;
  });
};

/** With fields, and values of fields, that only a newer version writes; and with what that one has going on beside this one. */
const asNewer: Change = (lines, life) => {
  life.form.fields.push(NEWER_FIELD as never);
  const { accountId, id: formId } = life.form;
  const timestamp = new Date().toISOString();
  const more = (collection: string, document: Record<string, unknown>) => {
    if (collection === 'forms') return { fields: life.form.fields };
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

interface Stage {
  life: Life;
  env: Record<string, string>;
  /** Of the documents that were restored. */
  ids: ReadonlySet<unknown>;
  side: Side;
}

async function restored(version: string, place: Place, change: Change): Promise<Stage> {
  const { life, lines } = await readFixture(join(FOLDER, version));
  const env = { ...life.env, ...place };
  const file = join(tempFolder(), 'dump.ndjson');
  const changed = change(lines, life);
  writeFileSync(file, changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const ids = new Set(changed.flatMap(({ document }) => document?.['_id'] ?? []));
  const { code, stderr } = await runToEnd('admin', { args: ['restore', file], env });
  if (code !== 0) throw new Error(`restore ended with ${code}: ${stderr}`);
  return { life, env, ids, side: await startStandalone(env, life.apiKey) };
}

/** All that is stored now. */
async function documentsNow(env: Record<string, string>): Promise<Line[]> {
  const file = join(tempFolder(), 'dump.ndjson');
  await runToEnd('admin', { args: ['dump', file], env });
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Line).filter(({ document }) => document);
}

const CHANGES: Readonly<Record<string, Change>> = {
  'as it is': asItIs,
  'as an older version had written it': asOlder,
  'as a newer version had written it': asNewer,
};

function describeVersions(title: string, place: () => Promise<Place>): void {
  describe.each(VERSIONS)(`what was %s, ${title},`, (version) => {
    const stages = new Map<Change, Stage>();
    // All at once, because each waits for this and that.
    beforeAll(async () => {
      await Promise.all(
        Object.values(CHANGES).map(async (change) =>
          stages.set(change, await restored(version, await place(), change)),
        ),
      );
    });
    afterAll(() => Promise.all([...stages.values()].map(({ side }) => side.stop())));

    describe.each(Object.entries(CHANGES))('%s', (_, change) => {
      const stage = () => stages.get(change) as Stage;
      itGoesOn(() => ({ ...stage(), keepsPositions: false }));
      if (change === asOlder) itTrustsSavedAddresses(stage);
      if (change === asNewer) itKeepsWhatItDoesNotKnow(stage);
    });
  });
}

function itTrustsSavedAddresses(stage: () => Stage): void {
  it('takes the addresses for notifications that a form names as verified', async () => {
    const { body } = await stage().side.forms.get<NotificationAddressOut[]>('/api/notification-addresses', {
      expect: 200,
    });
    expect(body.data.map(({ email, status }) => [email, status])).toEqual([[OLD_RECIPIENT, 'verified']]);
  });
}

function itKeepsWhatItDoesNotKnow(stage: () => Stage): void {
  it('takes values for a field of a type that it does not know', async () => {
    const { life, side } = stage();
    const data = { email: 'ada@example.com', autograph: { strokes: [1, 2] } };
    const path = `/api/forms/${life.form.id}/submissions`;
    await side.forms.post(path, { body: { data }, expect: 201 });
  });

  it('loses no field that it does not know, whatever it changes', async () => {
    const { life, side, env, ids } = stage();
    const webhook = `/api/forms/${life.form.id}/webhooks/${life.webhookIds.prompt}`;
    await side.forms.patch(webhook, { body: { description: 'changed here' }, expect: 200 });
    await side.forms.post(`${webhook}/rotate-secret`, { body: {}, expect: 200 });
    await side.forms.patch(`/api/forms/${life.form.id}/inbound`, { body: { isEnabled: false }, expect: 200 });
    const fields = life.form.fields.filter(({ name }) => name !== NEWER_FIELD.name);
    const form = { name: 'Changed here', fields, settings: life.form.settings };
    await side.forms.put(`/api/forms/${life.form.id}`, { body: form, expect: 200 });

    const kept = (await documentsNow(env)).filter(({ document }) => ids.has(document?.['_id']));
    const without = kept.filter(
      ({ document }) => JSON.stringify(document?.['fromNewer']) !== JSON.stringify(FROM_NEWER),
    );
    expect(kept.length).toBeGreaterThan(15);
    // What this version made since its start is its own.
    const ofThisVersion = ['sessions', 'login_failures', 'inbound_requests', 'idempotency_keys'];
    expect(
      without.filter((line) => !ofThisVersion.includes(line.in ?? '')).map(({ document }) => document),
    ).toEqual([]);
  });

  it('leaves to a newer version the events that only that one can publish', async () => {
    const { env } = stage();
    const owing = (await documentsNow(env)).filter(({ document }) => document?.['pendingEvents']);
    expect(owing.map(({ document }) => document?.['pendingEvents'])).toEqual([
      [expect.objectContaining({ type: 'submission.revised' })],
    ]);
  });

  it('has no error to report', async () => {
    const { life, side } = stage();
    const { status } = await createClient({ baseUrl: side.streamsUrl, token: life.apiKey }).get('/readyz');
    expect(status).toBe(200);
    expect(side.output()).not.toMatch(/"level":(50|60)/);
  });
}

const target = process.env['SVC_TEST_FIXTURE_FOLDER'];
if (target !== undefined) {
  describe('a fixture', () => {
    it('is made', async () => {
      await makeFixture(target);
    });
  });
}

describeVersions('on the embedded stores', async () => anEmbeddedPlace());

describeWith(['nats', 'mongo'], 'on real engines', () => {
  describeVersions('on NATS and MongoDB', async () => {
    const nats = await startNats();
    atEnd(() => nats.remove());
    return aPlaceOnEngines(nats.url);
  });
});
