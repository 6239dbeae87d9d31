import { tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

/** Runs a program that logs, with its standard output going to `to`. */
async function run(program: string, to = '') {
  const outfile = join(tempFolder(), 'program.cjs');
  await build({
    stdin: {
      contents: `import { createLogger } from './logger.ts';\n${program}`,
      resolveDir: fileURLToPath(new URL('.', import.meta.url)),
      loader: 'ts',
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `"${process.execPath}" "${outfile}" ${to}`], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the log', () => {
  it.each([
    [`new Error('refused', { cause: new Error('refused') })`, 'refused'],
    [`new Error("can't send: refused", { cause: new Error('refused') })`, "can't send: refused"],
    [`new Error("can't send", { cause: new Error('refused', { cause: 'text' }) })`, "can't send: refused"],
    [`Object.assign(new Error('a'), { code: 'E' })`, 'a'],
    [
      `new Error('a', { cause: Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }) })`,
      'a: ECONNREFUSED',
    ],
    [`(() => { const a = new Error('a'); a.cause = new Error('b', { cause: a }); return a; })()`, 'a: b'],
  ])('has the message of %s and its causes once', async (error, message) => {
    const { stdout } = await run(
      `createLogger({ name: 'a', level: 'info', to: 1 }).warn({ err: ${error} }, 'failed');`,
    );
    const { err } = JSON.parse(stdout) as { err: Record<string, string> };
    expect(err).toMatchObject({ type: 'Error', message });
    expect(err['stack']).toContain('Error: ');
    if (error.startsWith('Object.assign')) expect(err['code']).toBe('E');
  });

  it('is one JSON object a line, with the time, the level, the service and the version', async () => {
    const { stdout, stderr } = await run(
      `createLogger({ name: 'forms-api', level: 'info', to: 1 }).info({ event: 'a.b' }, 'two\\nlines');`,
    );
    expect(stdout.endsWith('\n')).toBe(true);
    expect(JSON.parse(stdout)).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      name: 'forms-api',
      version: 'unknown',
      event: 'a.b',
      msg: 'two\nlines',
    });
    expect(stderr).toBe('');
  });

  it('writes to standard error if configured, and nothing below its level', async () => {
    const { stdout, stderr } = await run(
      `const log = createLogger({ name: 'x', level: 'warn', to: 2 }); log.info('quiet'); log.warn('loud');`,
    );
    expect(stdout).toBe('');
    expect(stderr.match(/"msg":"\w+"/g)).toEqual(['"msg":"loud"']);
  });

  it('is whole when the process exits at once', async () => {
    const { stdout } = await run(
      `const log = createLogger({ name: 'x', level: 'info', to: 1 });
       for (let i = 0; i < 1000; i++) log.info({ i }, 'line');
       process.exit(0);`,
    );
    expect(stdout.trimEnd().split('\n')).toHaveLength(1000);
  });

  it.each([
    ['has gone', '| true'],
    ['has no room', '> /dev/full'],
  ])('does not end the process when its reader %s', async (_, to) => {
    const { status, stderr } = await run(
      `const log = createLogger({ name: 'x', level: 'info', to: 1 });
       let i = 0;
       const timer = setInterval(() => {
         log.info({ i, text: 'x'.repeat(20_000) }, 'line');
         if (++i < 40) return;
         clearInterval(timer);
         process.stderr.write('still here\\n');
         process.exit(0);
       }, 5);`,
      to,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'still here\n' });
  });
});
