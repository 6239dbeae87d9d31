import { describeUnless, installFromPyPI, tempFolder } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startFixture } from './fixture.ts';

const LEAST_CASES = 2_000;
const EXAMPLES_OF_A_CALL = 12;
// It takes six minutes, and more than twice as long on a busy machine.
const ENDS_WITHIN_MS = 900_000;

jest.setTimeout(ENDS_WITHIN_MS + 60_000);

const installed = installFromPyPI('schemathesis==4.32.5');

describeUnless('lacks' in installed ? installed.lacks : '', 'the running product', () => {
  it(`conforms to its OpenAPI document in at least ${LEAST_CASES} cases`, async () => {
    const { url, env } = await startFixture();
    const { code, output } = await run(
      'programs' in installed ? join(installed.programs, 'schemathesis') : '',
      [
        `--config-file=${join(__dirname, 'schemathesis.toml')}`,
        'run',
        `${url}/openapi.json`,
        '--checks=all',
        '--phases=examples,coverage,fuzzing,stateful',
        `--max-examples=${EXAMPLES_OF_A_CALL}`,
        '--no-color',
      ],
      env,
    );
    const [, cases = '0'] = /^ {2}([\d,]+) generated/m.exec(output) ?? [];
    // Shows progress in the log of a run that takes minutes.
    process.stderr.write(`${summaryOf(output)}\n`);
    expect(code === 0 ? '' : output).toBe('');
    expect(Number(cases.replace(',', ''))).toBeGreaterThanOrEqual(LEAST_CASES);
    expect(output).toMatch(/✅ Stateful/);
  });
});

async function run(program: string, args: readonly string[], env: Record<string, string>) {
  const child = spawn(program, args, {
    cwd: tempFolder(),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ...env,
      SVC_TEST_HOOKS: join(__dirname, 'hooks.py'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const tooLong = setTimeout(() => child.kill('SIGKILL'), ENDS_WITHIN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(tooLong);
  return { code, output };
}

function summaryOf(output: string): string {
  const at = output.lastIndexOf('= SUMMARY =');
  return at < 0 ? output : output.slice(output.indexOf('\n', at)).trim();
}
