import { root, runToEnd, startProcess, tempFolder } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';

jest.setTimeout(120_000);

describe('npm run admin with standard output as the file', () => {
  const folder = tempFolder();

  beforeAll(async () => {
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    await product.stop();
  });

  const npm = (...args: string[]) =>
    spawnSync('npm', args, {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        SVCFORMS_IS_BUILT: 'true',
        SVC_DATA_DIR: folder,
      },
    });

  it('writes a dump that a restore takes if npm is silent', async () => {
    const { status, stdout } = npm('run', '--silent', 'admin', '--', 'dump', '-');
    expect(status).toBe(0);
    const env = { SVC_DATA_DIR: tempFolder(), SVC_ENCRYPTION_KEY_FILE: `${folder}/encryption.key` };
    const restored = await runToEnd('admin', { args: ['restore', '-'], env, input: stdout });
    expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('restored') as string });
  });

  it.each(['dump -', 'erasures export -', 'account export acc_1 -'])(
    'refuses %s if npm prints the name of the script before it',
    (command) => {
      const { status, stdout, stderr } = npm('run', 'admin', '--', ...command.split(' '));
      expect(status).toBe(64);
      expect(stdout).not.toContain('svcformsDump');
      expect(stderr).toContain(`use npm run --silent admin -- ${command}`);
    },
  );
});
