import { describeWith, root } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MINUTES = 60_000;

describeWith(['k6'], 'the load scripts', () => {
  it(
    'run against a product of their own, and lose nothing',
    async () => {
      const options = { cwd: root, maxBuffer: 16 * 1024 * 1024 };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['tools/run.mjs', 'check/load', '--smoke'],
        options,
      );
      const ended = [...stdout.matchAll(/^(\w+): (\w+)/gm)].map(([, script, how]) => `${script} ${how}`);
      expect(ended).toEqual(['inbound ok', 'submissions ok', 'stream ok', 'embed ok', 'mixed ok']);
    },
    10 * MINUTES,
  );
});
