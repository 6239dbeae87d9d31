import { atEnd, describeWith, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { itGoesOn } from './goes-on.ts';
import { live, type Life } from './life.ts';
import {
  anEmbeddedPlace,
  aPlaceOnEngines,
  startServices,
  startStandalone,
  type Place,
  type Side,
} from './sides.ts';

jest.setTimeout(120_000);

type Start = (env: Record<string, string>, apiKey: string) => Promise<Side>;

interface Move {
  from: { place: () => Promise<Place>; start: Start };
  to: { place: () => Promise<Place>; start: Start };
  /** Events that nobody has read when it is made, at least. */
  unread?: number;
}

interface Stage {
  life: Life;
  side: Side;
  keepsPositions: boolean;
  said?: { dumped: string; restored: string };
  unread: number;
}

/** A NATS server that holds nothing yet. */
async function freshNats(): Promise<string> {
  const nats = await startNats();
  atEnd(() => nats.remove());
  return nats.url;
}

const embedded = { place: async () => anEmbeddedPlace(), start: startStandalone };
const services = { place: async () => aPlaceOnEngines(await freshNats()), start: startServices };
const onEngines = { ...services, start: startStandalone };

/** `npm run admin -- dump` beside the running product, its end, `restore` into an empty place, and the start of a product there. */
async function dumpAndRestore({ from, to, unread = 0 }: Move): Promise<Stage> {
  const [old, fresh] = [await from.place(), await to.place()];
  const { life, side } = await live(old, from.start);
  const file = join(tempFolder(), 'dump.ndjson');
  const admin = async (command: string, place: Place) => {
    const { code, stdout, stderr } = await runToEnd('admin', {
      args: [command, file],
      env: { ...life.env, ...place },
    });
    if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`);
    return stdout;
  };
  const dumped = await admin('dump', old);
  await side.stop();
  const restored = await admin('restore', fresh);
  life.relent();
  return {
    life,
    side: await to.start({ ...life.env, ...fresh }, life.apiKey),
    keepsPositions: false,
    said: { dumped, restored },
    unread,
  };
}

/** The folder of a product that was stopped, copied to where another one starts. */
async function copyOfTheFolder(): Promise<Stage> {
  const [old, fresh] = [anEmbeddedPlace(), anEmbeddedPlace()];
  const { life, side } = await live(old, startStandalone);
  await side.stop();
  cpSync(old['SVC_DATA_DIR'] ?? '', fresh['SVC_DATA_DIR'] ?? '', { recursive: true });
  life.relent();
  const successor = await startStandalone({ ...life.env, ...fresh }, life.apiKey);
  return { life, side: successor, keepsPositions: true, unread: 0 };
}

/** The moves are made at the same time, because each waits for this and that; then what came of each is judged. */
function describeStages(stages: Readonly<Record<string, () => Promise<Stage>>>): void {
  const made = new Map<string, Stage>();

  beforeAll(async () => {
    await Promise.all(Object.entries(stages).map(async ([title, make]) => made.set(title, await make())));
  });
  afterAll(() => Promise.all([...made.values()].map(({ side }) => side.stop())));

  describe.each(Object.keys(stages))('%s', (title) => {
    const stage = () => made.get(title) as Stage;

    it('is all that there was', () => {
      const { said, unread } = stage();
      if (!said) return;
      const amount = (text: string) =>
        /^(\d+) documents and (\d+) unread events? (dumped|restored)/.exec(text);
      const [, documents = '', events = ''] = amount(said.dumped) ?? [];
      expect([Number(documents) > 10, Number(events) >= unread]).toEqual([true, true]);
      expect(amount(said.restored)?.slice(1, 3)).toEqual([documents, events]);
    });

    itGoesOn(stage);
  });
}

describe('a backup of the embedded product', () => {
  describeStages({
    'as a copy of its folder': copyOfTheFolder,
    'as a dump, restored into another folder': () => dumpAndRestore({ from: embedded, to: embedded }),
  });
});

describeWith(['nats', 'mongo'], 'a dump', () => {
  describeStages({
    'of the services, restored into fresh engines': () =>
      dumpAndRestore({ from: services, to: services, unread: 2 }),
    'of the embedded product, restored into engines': () => dumpAndRestore({ from: embedded, to: onEngines }),
  });
});
