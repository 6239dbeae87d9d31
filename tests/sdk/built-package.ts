import { atEnd, poll, root, tempFolder } from '@svcforms/test-kit';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface BuiltPackage {
  tarball: string;
  /** The unpacked package. */
  folder: string;
  /** A folder in which it is installed. */
  project: string;
}

/** The function of the build that writes each package. */
const BUNDLERS = { '@svcforms/sdk': 'bundleSdk', '@svcforms/react': 'bundleReact' } as const;

/** Builds an npm package, packs it, and installs the tarball into a folder. */
export function installBuiltPackage(name: keyof typeof BUNDLERS = '@svcforms/sdk'): BuiltPackage {
  const build = join(tempFolder(), 'package');
  const bundler = BUNDLERS[name];
  const program = `import { ${bundler} } from ${JSON.stringify(`${root}tools/build/bundle-sdk.mjs`)};`;
  execFileSync(process.execPath, [
    '--input-type=module',
    '-e',
    `${program} await ${bundler}(${JSON.stringify(build)});`,
  ]);
  const project = tempFolder();
  const pack = execFileSync('npm', ['pack', '--json', '--pack-destination', project], {
    cwd: build,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename = '' } = {}] = JSON.parse(pack) as { filename?: string }[];
  const tarball = join(project, filename);
  const folder = join(project, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
  // Deno imports only what the project declares.
  const manifest = { type: 'module', dependencies: { [name]: `file:${filename}` } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  return { tarball, folder, project };
}

export interface Program {
  /** Waits for the next line that it prints, or the next one that matches. */
  line(matching?: RegExp): Promise<string>;
  kill(): void;
  readonly exited: Promise<number | null>;
}

/** Starts a program that uses the package. */
export function startProgram(
  command: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Program {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd, env: { PATH, HOME, NO_COLOR: '1', ...env } });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const kill = (): void => void child.kill('SIGKILL');
  atEnd(kill);
  let read = 0;
  return {
    exited,
    kill,
    async line(matching = /./) {
      return poll(
        () => {
          const lines = text.split('\n').slice(0, -1);
          for (; read < lines.length; read++) {
            const line = lines[read] ?? '';
            if (!matching.test(line)) continue;
            read += 1;
            return line;
          }
          return null;
        },
        { what: `a line like ${String(matching)}`, timeoutMs: 30_000 },
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}\n${text}`, { cause: error });
      });
    },
  };
}
