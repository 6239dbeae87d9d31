import { atEnd, describeWith, runToEnd, startNats, tempFolder } from '@svcforms/test-kit';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { restoredScenarios } from './restored-scenarios.ts';
import { createFixture, type Fixture } from './fixture.ts';
import {
  embeddedStorage,
  backendStorage,
  startServices,
  startStandalone,
  type Storage,
  type Stack,
} from './stacks.ts';

jest.setTimeout(120_000);

type Start = (env: Record<string, string>, apiKey: string) => Promise<Stack>;

interface Move {
  from: { storage: () => Promise<Storage>; start: Start };
  to: { storage: () => Promise<Storage>; start: Start };
  /** The minimum number of unread events at the time of the dump. */
  unread?: number;
}

interface Restored {
  fixture: Fixture;
  stack: Stack;
  keepsPositions: boolean;
  output?: { dumpOutput: string; restoreOutput: string };
  unread: number;
}

/** Starts an empty NATS server. */
async function startFreshNats(): Promise<string> {
  const nats = await startNats();
  atEnd(() => nats.remove());
  return nats.url;
}

const embedded = { storage: async () => embeddedStorage(), start: startStandalone };
const services = { storage: async () => backendStorage(await startFreshNats()), start: startServices };
const onBackends = { ...services, start: startStandalone };

/**
 * Runs `npm run admin -- dump` next to the running product, stops it, restores the dump into empty
 * storage, and starts a product there.
 */
async function dumpAndRestore({ from, to, unread = 0 }: Move): Promise<Restored> {
  const [old, fresh] = [await from.storage(), await to.storage()];
  const { fixture, stack } = await createFixture(old, from.start);
  const file = join(tempFolder(), 'dump.ndjson');
  const admin = async (command: string, storage: Storage) => {
    const { code, stdout, stderr } = await runToEnd('admin', {
      args: [command, file],
      env: { ...fixture.env, ...storage },
    });
    if (code !== 0) throw new Error(`${command} exited with ${code}: ${stderr}`);
    return stdout;
  };
  const dumpOutput = await admin('dump', old);
  await stack.stop();
  const restoreOutput = await admin('restore', fresh);
  fixture.acceptAll();
  return {
    fixture,
    stack: await to.start({ ...fixture.env, ...fresh }, fixture.apiKey),
    keepsPositions: false,
    output: { dumpOutput, restoreOutput },
    unread,
  };
}

/** Copies the folder of a stopped product and starts another one on the copy. */
async function copyFolder(): Promise<Restored> {
  const [old, fresh] = [embeddedStorage(), embeddedStorage()];
  const { fixture, stack } = await createFixture(old, startStandalone);
  await stack.stop();
  cpSync(old['SVC_DATA_DIR'] ?? '', fresh['SVC_DATA_DIR'] ?? '', { recursive: true });
  fixture.acceptAll();
  const successor = await startStandalone({ ...fixture.env, ...fresh }, fixture.apiKey);
  return { fixture, stack: successor, keepsPositions: true, unread: 0 };
}

/**
 * Restores all backups in parallel, because each waits for several conditions, then checks each
 * result.
 */
function describeRestored(restores: Readonly<Record<string, () => Promise<Restored>>>): void {
  const results = new Map<string, Restored>();

  beforeAll(async () => {
    await Promise.all(
      Object.entries(restores).map(async ([title, make]) => results.set(title, await make())),
    );
  });
  afterAll(() => Promise.all([...results.values()].map(({ stack }) => stack.stop())));

  describe.each(Object.keys(restores))('%s', (title) => {
    const restored = () => results.get(title) as Restored;

    it('contains every document and every unread event', () => {
      const { output, unread } = restored();
      if (!output) return;
      const amount = (text: string) =>
        /^(\d+) documents and (\d+) unread events? (dumped|restored)/.exec(text);
      const [, documents = '', events = ''] = amount(output.dumpOutput) ?? [];
      expect([Number(documents) > 10, Number(events) >= unread]).toEqual([true, true]);
      expect(amount(output.restoreOutput)?.slice(1, 3)).toEqual([documents, events]);
    });

    restoredScenarios(restored);
  });
}

describe('a backup of the embedded product', () => {
  describeRestored({
    'as a copy of its folder': copyFolder,
    'as a dump, restored into another folder': () => dumpAndRestore({ from: embedded, to: embedded }),
  });
});

describeWith(['nats', 'mongo'], 'a dump', () => {
  describeRestored({
    'of the services, restored into fresh backends': () =>
      dumpAndRestore({ from: services, to: services, unread: 2 }),
    'of the embedded product, restored into backends': () =>
      dumpAndRestore({ from: embedded, to: onBackends }),
  });
});
