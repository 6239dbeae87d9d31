import { describeUnless, root, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

jest.retryTimes(1, { logErrorsBeforeRetry: true });
jest.setTimeout(15 * TEST_TIMEOUT_MS);

const lacks =
  process.env['CI'] === 'true'
    ? ''
    : 'takes a minute of CPU time; set CI=true, or run npm run bench -- --quick';

describeUnless(lacks, 'the embedded product', () => {
  it('needs no more CPU time than recorded, in relation to a skeleton', async () => {
    const child = spawn(process.execPath, ['tools/run.mjs', 'bench/bench', '--quick'], {
      cwd: root,
      // As in a tool, which measures the product as it is.
      env: { ...process.env, SVC_TEST_RUN: undefined },
    });
    const [printed, complaint, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    expect({ code, printed, complaint }).toMatchObject({
      code: 0,
      printed: expect.stringMatching(/\| throughput \| embedded \|.*\d×.*\|/) as string,
    });
  });
});
