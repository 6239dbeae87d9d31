import { describeUnless, tempFolder, TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { build } from 'esbuild';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const here = fileURLToPath(new URL('.', import.meta.url));
const folder = tempFolder();
let count = 0;

/** Bundles a program that can call `runProcess`, `listen`, `fails` and `up`. Returns its path. */
async function bundle(program: string): Promise<string> {
  const outfile = join(folder, `${++count}.cjs`);
  const contents = `
    import { runProcess } from './run-process.ts';
    import { createServer } from 'node:http';
    const listen = (address) => new Promise((_, reject) => createServer().once('error', reject).listen(address));
    import { SettingsError } from '../settings/settings.ts';
    const fails = (code, message, name = 'Error') => async () => { throw Object.assign(new Error(message), { code, name }); };
    const up = (stop) => async () => {
      setInterval(() => {}, 1000);
      setImmediate(() => console.log('up'));
      return { stop };
    };
    ${program}`;
  await build({
    stdin: { contents, resolveDir: here, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  return outfile;
}

/** Runs such a program, and sends it a signal for each line that it prints. */
async function run(program: string, signals: NodeJS.Signals[] = [], args: string[] = []) {
  const outfile = await bundle(program);
  const child = spawn(process.execPath, [outfile, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    // Send one signal per output line, so that signals don't coalesce.
    if (text.includes('\n')) {
      const signal = signals.shift();
      if (signal) child.kill(signal);
    }
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, printed, complaint };
}

describe('a start that fails', () => {
  it.each([
    [
      78,
      `async () => { throw new SettingsError('SVC_PORT must be a whole number'); }`,
      'SVC_PORT must be a whole number',
    ],
    [78, `fails('BAD_POLICY', 'not a range', 'PolicyError')`, 'not a range'],
    [
      69,
      `fails('UNAVAILABLE', 'nats://127.0.0.1:4222 does not respond', 'EventBusError')`,
      'nats://127.0.0.1:4222 does not respond',
    ],
    [69, `fails('UNAVAILABLE', 'in use by another process', 'StoreError')`, 'in use by another process'],
    [74, `fails('DISK_FULL', 'no room', 'StoreError')`, 'no room'],
    [
      74,
      `fails('ENOSPC', 'ENOSPC: no space left on device, write')`,
      'ENOSPC: no space left on device, write',
    ],
    [
      71,
      `fails('EACCES', 'listen EACCES: permission denied 0.0.0.0:80')`,
      'listen EACCES: permission denied 0.0.0.0:80',
    ],
    [
      1,
      `async () => { throw Object.assign(new Error("EACCES: permission denied, open '/a'"), { code: 'EACCES', path: '/a' }); }`,
      "EACCES: permission denied, open '/a'",
    ],
    [1, `fails(undefined, 'x is not a function\\n    at y')`, 'x is not a function'],
    [1, `fails('ODD', '')`, 'ODD'],
    [1, `async () => { throw undefined; }`, 'undefined'],
  ])('ends with exit code %d and one line: %s', async (code, start, line) => {
    expect(await run(`runProcess('forms-api', ${start});`)).toEqual({
      code,
      signal: null,
      printed: '',
      complaint: `forms-api: ${line}\n`,
    });
  });

  it('because the port is taken ends with 71 and names the address', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, complaint } = await run(`
      runProcess('svcforms', async () => {
        await listen({ host: '127.0.0.1', port: ${port} });
        return { stop: async () => {} };
      });`);
    holder.close();
    expect({ code, complaint }).toEqual({
      code: 71,
      complaint: `svcforms: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    });
  });

  it('because the host has no address ends with 71 and names it', async () => {
    const { code, complaint } = await run(`
      runProcess('svcforms', async () => {
        await listen({ host: 'nowhere.invalid', port: 0 });
        return { stop: async () => {} };
      });`);
    expect({ code, complaint }).toEqual({
      code: 71,
      complaint: expect.stringMatching(/^svcforms: getaddrinfo \w+ nowhere\.invalid\n$/),
    });
  });
});

const hasPython = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;

/**
 * Runs a program in a terminal, closes it at the first output, and prints the exit code, or minus
 * the signal.
 */
const HANG_UP = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
os.read(terminal, 100)
os.close(terminal)
status = os.waitpid(pid, 0)[1]
print(-os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status))
`;

describeUnless(hasPython ? '' : 'python3 is not on the PATH', 'a terminal that closes', () => {
  it.each([
    ['is done', `async () => { await new Promise(setImmediate); writeFileSync(stopped, ''); }`],
    ['fails', `async () => { writeFileSync(stopped, ''); throw new Error('x'); }`],
    ['takes too long', `() => { writeFileSync(stopped, ''); return new Promise(() => {}); }`],
    [
      'writes to it',
      `async () => {
        process.stdout.write('stopping\\n');
        process.stderr.write('stopping\\n');
        for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
        writeFileSync(stopped, '');
      }`,
    ],
  ])('ends the process by SIGHUP when the stop %s', async (_, stop) => {
    const stopped = join(folder, `${count}.stopped`);
    const program = await bundle(`
      import { writeFileSync } from 'node:fs';
      const stopped = ${JSON.stringify(stopped)};
      runProcess('x', up(${stop}), { stopWithinMs: 2000 });`);
    const { stdout } = await promisify(execFile)('python3', ['-c', HANG_UP, process.execPath, program]);
    expect({ status: Number(stdout), hasStopped: existsSync(stopped) }).toEqual({
      status: -constants.signals.SIGHUP,
      hasStopped: true,
    });
  });
});

describe('a stop', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('by %s ends with 0 when it is done', async (signal) => {
    const { code, printed } = await run(
      `runProcess('x', up(async () => { await new Promise(setImmediate); console.log('stopped'); }));`,
      [signal],
    );
    expect({ code, printed }).toEqual({ code: 0, printed: 'up\nstopped\n' });
  });

  it('by SIGHUP ends by it when it is done', async () => {
    const { code, signal, printed } = await run(
      `process.on('exit', () => console.log('exit'));
      runProcess('x', up(async () => { await new Promise(setImmediate); console.log('stopped'); }));`,
      ['SIGHUP'],
    );
    expect({ code, signal, printed }).toEqual({
      code: null,
      signal: 'SIGHUP',
      printed: 'up\nstopped\nexit\n',
    });
  });

  it('that fails says why, and ends with the exit code of its kind', async () => {
    const { code, complaint } = await run(`runProcess('x', up(fails('DISK_FULL', 'no room')));`, ['SIGTERM']);
    expect({ code, complaint }).toEqual({ code: 74, complaint: 'x: no room\n' });
  });

  it('that takes too long ends with 1', async () => {
    const { code, signal } = await run(
      `runProcess('x', up(() => new Promise(() => {})), { stopWithinMs: 50 });`,
      ['SIGTERM'],
    );
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });

  it('that is requested during the start begins when it has started', async () => {
    const { code, printed } = await run(
      `runProcess('x', async () => {
        const alive = setInterval(() => {}, 1000);
        console.log('starting');
        await new Promise((resolve) => process.once('SIGTERM', resolve));
        clearInterval(alive);
        return { stop: async () => console.log('stopped') };
      });`,
      ['SIGTERM'],
    );
    expect({ code, printed }).toEqual({ code: 0, printed: 'starting\nstopped\n' });
  });

  it('during the start is cut short by a second signal', async () => {
    const { code, signal } = await run(
      `runProcess('x', async () => {
        setInterval(() => {}, 1000);
        process.once('SIGTERM', () => console.log('requested'));
        console.log('starting');
        await new Promise(() => {});
      });`,
      ['SIGTERM', 'SIGINT'],
    );
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });

  it('continues when the terminal and the shell both hang up', async () => {
    const { signal, printed } = await run(
      `runProcess('x', up(async () => {
        const again = new Promise((resolve) => process.once('SIGHUP', resolve));
        console.log('stopping');
        await again;
        console.log('stopped');
      }));`,
      ['SIGHUP', 'SIGHUP'],
    );
    expect({ signal, printed }).toEqual({ signal: 'SIGHUP', printed: 'up\nstopping\nstopped\n' });
  });

  it('is cut short by a second signal', async () => {
    const { code, signal } = await run(
      `runProcess('x', up(() => { console.log('stopping'); return new Promise(() => {}); }));`,
      ['SIGTERM', 'SIGINT'],
    );
    expect({ code, signal }).toEqual({ code: 1, signal: null });
  });
});

describe('arguments', () => {
  const program = `runProcess('hitl', async () => { console.log('started'); throw new Error('x'); });`;

  it.each(['--help', '-h'])('%s says where the settings are documented, and starts nothing', async (help) => {
    const { code, printed, complaint } = await run(program, [], [help]);
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
    expect(printed).toMatch(/^hitl takes no arguments: .*SVC_PORT\. .*docs\/reference\/settings\.md\.\n$/);
  });

  it.each([
    [['--port'], ' (--port)'],
    [['--api-key=hunter2'], ' (--api-key)'],
    [['--password', 'hunter2'], ''],
    [['start'], ''],
    [['--help', 'x'], ''],
    [[''], ''],
  ])('are refused with exit code 64: %j', async (args, named) => {
    expect(await run(program, [], args)).toEqual({
      code: 64,
      signal: null,
      printed: '',
      complaint: `hitl: arguments aren't supported${named}; settings are environment variables, see --help\n`,
    });
  });
});
