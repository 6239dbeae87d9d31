import type { DeliveryOut, TaskOut } from '@svcforms/contracts';
import { atEnd, describeWith, newApiKey, poll, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createFixture, type Fixture } from '../backup/fixture.ts';
import { restoredScenarios } from '../backup/restored-scenarios.ts';
import {
  backendStorage,
  embeddedStorage,
  startServices,
  startStandalone,
  type Stack,
  type Storage,
} from '../backup/stacks.ts';

jest.setTimeout(180_000);

const PASSPHRASE = 'a passphrase for the way';

interface Deployment {
  storage: () => Promise<Storage>;
  start: (env: Record<string, string>, apiKey: string) => Promise<Stack>;
}

interface Moved {
  fixture: Fixture;
  /** The installation that the account is from; stopped if its work goes on in the other one. */
  source: Stack;
  /** The other installation, with a client of the account. */
  stack: Stack;
  /** A client of the account that the other installation had before. */
  own: Stack;
  output: string;
  keepsPositions: boolean;
}

const embedded: Deployment = { storage: async () => embeddedStorage(), start: startStandalone };
const services: Deployment = {
  async storage() {
    const nats = await startNats();
    atEnd(() => nats.remove());
    return backendStorage(nats.url);
  },
  start: startServices,
};

async function admin(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runToEnd('admin', { args, env, input: `${PASSPHRASE}\n` });
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

/**
 * Moves the first account of one installation to another one, which has an account and another
 * encryption key.
 */
async function move(from: Deployment, to: Deployment, options: { continues: boolean }): Promise<Moved> {
  const [here, there] = [await from.storage(), await to.storage()];
  const { fixture, stack: source } = await createFixture(here, from.start);
  if (options.continues) await source.stop();
  const file = join(tempFolder(), 'account.ndjson');
  const [firstAccount = ''] = (await admin(['account', 'list'], { ...fixture.env, ...here })).split(' ');
  await admin(['account', 'export', firstAccount, file, '--passphrase-stdin'], { ...fixture.env, ...here });

  const ownKey = newApiKey();
  const env = {
    ...fixture.env,
    ...there,
    SVC_BOOTSTRAP_EMAIL: 'other@example.com',
    SVC_BOOTSTRAP_API_KEY: ownKey,
    SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  };
  const own = await to.start(env, ownKey);
  await own.forms.post('/api/forms', {
    body: { name: 'Own form', fields: [{ name: 'email', type: 'email' }] },
    expect: 201,
  });
  const args = [
    'account',
    'import',
    file,
    '--passphrase-stdin',
    ...(options.continues ? ['--continue'] : []),
  ];
  const output = await admin(args, env);
  // The product runs on: an import needs no restart.
  const stack = own.withKey(fixture.apiKey);
  // The account and the key of the first start got other ids.
  const { body } = await stack.tasks.get<TaskOut>(`/api/mcp/tasks/${fixture.task.id}`, { expect: 200 });
  fixture.task.createdBy = body.data.createdBy;
  fixture.form.accountId = output.slice(0, 30);
  return { fixture, source, stack, own, output, keepsPositions: false };
}

function describeMove(title: string, from: Deployment, to: Deployment): void {
  describe(title, () => {
    let moved: Moved;
    beforeAll(async () => {
      moved = await move(from, to, { continues: true });
      moved.fixture.acceptAll();
    });
    afterAll(() => moved?.stack.stop());

    it('gets an id of its own, because every installation has a first account', () => {
      expect(moved.output).toMatch(
        /^acc_(?!0{25}1)\w{26} My account \(acc_0{25}1 in the export\): \d+ documents/,
      );
      expect(moved.output).toMatch(/in progress: \d+; they continue here/);
    });

    restoredScenarios(() => moved);
  });
}

describe('an account that moves with its work in progress', () => {
  describeMove('from one embedded product to another', embedded, embedded);
});

describeWith(['nats', 'mongo'], 'an account that moves with its work in progress', () => {
  describeMove('from the services to the embedded product', services, embedded);
  describeMove('from the embedded product to the services', embedded, services);
});

describe('an account that is imported while the other installation goes on', () => {
  let moved: Moved;
  beforeAll(async () => void (moved = await move(embedded, embedded, { continues: false })));
  afterAll(() => Promise.all([moved?.stack.stop(), moved?.source.stop()]));

  it('has its documents, and says what stays in progress there', async () => {
    const { fixture, stack, output } = moved;
    const form = await stack.forms.get(`/api/forms/${fixture.form.id}`, { expect: 200 });
    expect(form.body.data).toEqual(fixture.form);
    expect(output).toMatch(
      /in progress: \d+; they ended here, because the other installation continues them/,
    );
  });

  it('sends nothing twice: the other installation delivers, and resolves its tasks', async () => {
    const { fixture, stack, source } = moved;
    const task = await stack.tasks.get<TaskOut>(`/api/mcp/tasks/${fixture.task.id}`, { expect: 200 });
    expect(task.body.data.status).toBe('cancelled');
    fixture.acceptAll();
    const { length } = fixture.submissionIds;
    await poll(() => fixture.accepted('/late').length === length, { what: 'the late deliveries' });
    const at = `/api/forms/${fixture.form.id}/webhooks/${fixture.webhookIds.late}/deliveries`;
    const there = await source.forms.get<DeliveryOut[]>(`${at}?status=failed`, { expect: 200 });
    const here = await stack.forms.get<DeliveryOut[]>(`${at}?status=failed`, { expect: 200 });
    expect([there.body.data.length, here.body.data.length]).toEqual([0, length]);
    const decision = { outcome: 'approved', comment: 'go' };
    await source.tasks.post(`/api/mcp/tasks/${fixture.task.id}/decision`, { body: decision, expect: 200 });
    await fixture.webhookEndpoint.waitFor(({ path }) => path === '/done', 'the callback');
    expect(fixture.accepted('/done')).toHaveLength(1);
    expect(new Set(fixture.accepted('/late')).size).toBe(fixture.accepted('/late').length);
  });

  it('leaves the other accounts of the installation alone', async () => {
    const namesIn = async ({ forms }: Stack) => {
      const { body } = await forms.get<{ name: string }[]>('/api/forms', { expect: 200 });
      return body.data.map(({ name }) => name);
    };
    expect(await namesIn(moved.own)).toEqual(['Own form']);
    expect(await namesIn(moved.stack)).toEqual(['Contact']);
  });
});
