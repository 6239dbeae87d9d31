import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';

/** jest globalTeardown: removes what the suites shared. */
export default async function tearDown(): Promise<void> {
  const run = process.env['SVC_TEST_RUN'];
  if (!run) return;
  const note = join(run, 'mongo.json');
  if (existsSync(note)) {
    const { id } = JSON.parse(readFileSync(note, 'utf8')) as { id: string };
    const docker = (await getContainerRuntimeClient()).container.getById(id);
    await docker.remove({ force: true, v: true });
  }
  rmSync(run, { recursive: true, force: true });
}
