import { atEnd, describeWith, poll, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { cpSync } from 'node:fs';
import { restoredScenarios } from './restored-scenarios.ts';
import { createFixture, sendSigned, type Fixture } from './fixture.ts';
import { backendStorage, startServices, startStandalone, type Stack } from './stacks.ts';

jest.setTimeout(120_000);

type Restored = { fixture: Fixture; stack: Stack };

/**
 * The services on a NATS server that lost its data, including events that nobody had read. Their
 * submissions are in the store; `events republish` publishes the events again.
 */
async function restartWithEmptyNats(): Promise<Restored & { output: string }> {
  const [lost, empty] = [await startNats(), await startNats()];
  atEnd(() => empty.remove());
  const storage = await backendStorage(lost.url);
  const { fixture, stack } = await createFixture(storage, startServices);
  await stack.stop();
  await lost.remove();
  fixture.acceptAll();
  const env = { ...fixture.env, ...storage, NATS_URL: empty.url };
  const successor = await startServices(env, fixture.apiKey);
  const args = ['events', 'republish', '--since', fixture.form.createdAt];
  const { code, stdout, stderr } = await runToEnd('admin', { args, env });
  if (code !== 0) throw new Error(stderr);
  return { fixture, stack: successor, output: stdout };
}

/**
 * The product on a NATS server with older data, in which events that were read since then are
 * unread.
 */
async function restartWithOlderNats(): Promise<Restored> {
  const [folder, copy] = [tempFolder(), tempFolder()];
  const nats = await startNats({ folder });
  const storage = await backendStorage(nats.url);
  const { fixture, stack } = await createFixture(storage, startStandalone);
  await nats.halt();
  cpSync(folder, copy, { recursive: true });
  await nats.resume();
  for (const message of ['after the copy', 'and another one']) {
    fixture.submissionIds.push(await sendSigned(stack, fixture, message));
  }
  await poll(() => fixture.accepted('/prompt').length === fixture.submissionIds.length, {
    what: 'the later submissions at the prompt endpoint',
  });
  await stack.stop();
  await nats.remove();
  const older = await startNats({ folder: copy });
  atEnd(() => older.remove());
  fixture.acceptAll();
  const env = { ...fixture.env, ...storage, NATS_URL: older.url };
  return { fixture, stack: await startStandalone(env, fixture.apiKey) };
}

describeWith(['nats', 'mongo'], 'the product after its NATS server', () => {
  let empty: Awaited<ReturnType<typeof restartWithEmptyNats>>;
  let older: Restored;
  beforeAll(async () => {
    [empty, older] = await Promise.all([restartWithEmptyNats(), restartWithOlderNats()]);
  });
  afterAll(() => Promise.all([empty?.stack.stop(), older?.stack.stop()]));

  describe('restarted empty', () => {
    it('republishes the events of everything stored', () => {
      const [, count = ''] =
        /^the events of (\d+) submissions and tasks will be republished/.exec(empty.output) ?? [];
      expect(Number(count)).toBeGreaterThanOrEqual(5);
    });

    restoredScenarios(() => ({ ...empty, keepsPositions: false }));
  });

  describe('restarted with older data', () => {
    restoredScenarios(() => ({ ...older, keepsPositions: true }));
  });
});
