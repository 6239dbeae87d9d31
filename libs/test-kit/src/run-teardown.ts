import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';

/** jest globalTeardown: removes what the suites shared. */
// oxlint-disable-next-line import/no-default-export -- jest requires it
export default async function tearDown(): Promise<void> {
  const run = process.env['SVC_TEST_RUN'];
  if (!run) return;
  const note = join(run, 'mongo.json');
  if (existsSync(note)) {
    const { value } = JSON.parse(readFileSync(note, 'utf8')) as { value?: { id: string } };
    const docker = value && (await getContainerRuntimeClient()).container.getById(value.id);
    await docker?.remove({ force: true, v: true });
  }
  rmSync(run, { recursive: true, force: true });
}
