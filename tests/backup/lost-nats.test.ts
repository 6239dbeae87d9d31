import { atEnd, describeWith, poll, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { cpSync } from 'node:fs';
import { itGoesOn } from './goes-on.ts';
import { live, sendSigned, type Life } from './life.ts';
import { aPlaceOnEngines, startServices, startStandalone, type Side } from './sides.ts';

jest.setTimeout(120_000);

type Stage = { life: Life; side: Side };

/**
 * The services on a NATS server that came back empty, and with it the events that nobody had read. They are in the store as
 * submissions; `events republish` has them owe their events once more.
 */
async function withAnEmptyNats(): Promise<Stage & { said: string }> {
  const [lost, empty] = [await startNats(), await startNats()];
  atEnd(() => empty.remove());
  const place = await aPlaceOnEngines(lost.url);
  const { life, side } = await live(place, startServices);
  await side.stop();
  await lost.remove();
  life.relent();
  const env = { ...life.env, ...place, NATS_URL: empty.url };
  const successor = await startServices(env, life.apiKey);
  const args = ['events', 'republish', '--since', life.form.createdAt];
  const { code, stdout, stderr } = await runToEnd('admin', { args, env });
  if (code !== 0) throw new Error(stderr);
  return { life, side: successor, said: stdout };
}

/** The product on a NATS server with the data of an earlier moment: what was read since then is unread there. */
async function withAnOlderNats(): Promise<Stage> {
  const [folder, copy] = [tempFolder(), tempFolder()];
  const nats = await startNats({ folder });
  const place = await aPlaceOnEngines(nats.url);
  const { life, side } = await live(place, startStandalone);
  await nats.halt();
  cpSync(folder, copy, { recursive: true });
  await nats.resume();
  for (const message of ['after the copy', 'and another one']) {
    life.submissionIds.push(await sendSigned(side, life, message));
  }
  await poll(() => life.taken('/prompt').length === life.submissionIds.length, {
    what: 'what came after the copy at the prompt endpoint',
  });
  await side.stop();
  await nats.remove();
  const older = await startNats({ folder: copy });
  atEnd(() => older.remove());
  life.relent();
  const env = { ...life.env, ...place, NATS_URL: older.url };
  return { life, side: await startStandalone(env, life.apiKey) };
}

describeWith(['nats', 'mongo'], 'the product after its NATS server', () => {
  let empty: Awaited<ReturnType<typeof withAnEmptyNats>>;
  let older: Stage;
  beforeAll(async () => {
    [empty, older] = await Promise.all([withAnEmptyNats(), withAnOlderNats()]);
  });
  afterAll(() => Promise.all([empty?.side.stop(), older?.side.stop()]));

  describe('came back empty', () => {
    it('has all that was stored since then owe its events', () => {
      const [, count = ''] = /^(\d+) submissions and tasks will publish their events again/.exec(empty.said) ?? [];
      expect(Number(count)).toBeGreaterThanOrEqual(5);
    });

    itGoesOn(() => ({ ...empty, keepsPositions: false }));
  });

  describe('came back with older data', () => {
    itGoesOn(() => ({ ...older, keepsPositions: true }));
  });
});
