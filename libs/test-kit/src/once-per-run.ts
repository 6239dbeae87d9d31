import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { poll } from './poll.ts';

/**
 * Returns the result of `make`, which only the first jest worker runs; the result is stored as
 * `<name>.json` in the folder of the test run.
 * @throws Error in every worker if `make` fails.
 */
export async function oncePerRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  const run = process.env['SVC_TEST_RUN'];
  if (!run) throw new Error('SVC_TEST_RUN is not set: run the tests by jest with the root jest.config.mjs');
  const note = join(run, `${name}.json`);
  const isFirst = await mkdir(join(run, `${name}.lock`)).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await make().then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: String(error) }),
    );
    await writeFile(`${note}.new`, JSON.stringify(outcome));
    await rename(`${note}.new`, note);
  }
  const text = await poll(() => readFile(note, 'utf8').catch(() => null), {
    timeoutMs: 120_000,
    what: `${name} of another worker`,
  });
  const outcome = JSON.parse(text) as { value: T } | { failure: string };
  if ('failure' in outcome) throw new Error(`${name}: ${outcome.failure}`);
  return outcome.value;
}
