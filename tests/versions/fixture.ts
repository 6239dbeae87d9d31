import { runToEnd, tempFolder } from '@svcforms/test-kit';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFixture, startRefusingEndpoint, type Fixture } from '../backup/fixture.ts';
import { embeddedStorage, startStandalone } from '../backup/stacks.ts';

/** The times of a fixture are shifted so that its task expires this long after now. */
const EXPIRES_IN_MS = 8_000;
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const ENDPOINT_ORIGIN = /http:\/\/127\.0\.0\.1:\d+/g;

type Kept = Pick<
  Fixture,
  | 'env'
  | 'apiKey'
  | 'form'
  | 'inbound'
  | 'inboundSecret'
  | 'webhookIds'
  | 'submissionIds'
  | 'task'
  | 'expiring'
  | 'lastEventId'
>;

/** The parts of a dump line that the tests read. */
export type Line = { in?: string; document?: Record<string, unknown>; event?: object; end?: object };

/** Reads what a version stored, with times shifted to now and a new webhook endpoint. */
export async function readFixture(folder: string): Promise<{ fixture: Fixture; lines: Line[] }> {
  const kept = readFileSync(join(folder, 'life.json'), 'utf8');
  const { expiring, submissionIds } = JSON.parse(kept) as Kept;
  const shiftMs = Date.now() + EXPIRES_IN_MS - Date.parse(expiring.expiresAt);
  const { webhookEndpoint, acceptAll, accepted } = await startRefusingEndpoint();
  const moved = (text: string) =>
    text
      .replace(TIME, (time) => new Date(Date.parse(time) + shiftMs).toISOString())
      .replace(ENDPOINT_ORIGIN, webhookEndpoint.url);
  const lines = moved(readFileSync(join(folder, 'dump.ndjson'), 'utf8'))
    .trim()
    .split('\n');
  acceptAll();
  return {
    fixture: {
      ...(JSON.parse(moved(kept)) as Kept),
      webhookEndpoint,
      acceptAll,
      accepted,
      // The webhook endpoint of the stored version received the others.
      expectedAt: (path) => (path === '/late' ? submissionIds : []),
    },
    lines: lines.map((line) => JSON.parse(line) as Line),
  };
}

/** Creates a fixture with the current version and stores it. */
export async function makeFixture(folder: string): Promise<void> {
  const storage = embeddedStorage();
  const { fixture, stack } = await createFixture(storage, (env, token) =>
    startStandalone(env, token, { fullPasswordCost: true }),
  );
  const dumped = join(tempFolder(), 'dump.ndjson');
  await runToEnd('admin', { args: ['dump', dumped], env: { ...fixture.env, ...storage } });
  await stack.stop();
  const { env, apiKey, form, inbound, inboundSecret, webhookIds } = fixture;
  const { submissionIds, task, expiring, lastEventId } = fixture;
  const kept: Kept = {
    env,
    apiKey,
    form,
    inbound,
    inboundSecret,
    webhookIds,
    submissionIds,
    task,
    expiring,
    lastEventId,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'life.json'), `${JSON.stringify(kept, null, 2)}\n`);
  renameSync(dumped, join(folder, 'dump.ndjson'));
}
