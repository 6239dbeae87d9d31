import { runToEnd, type ProcessName } from '@svcforms/test-kit';

/** The process names in error lines. */
const NAMES: Readonly<Partial<Record<ProcessName, string>>> = { standalone: 'svcforms' };

/** sysexits.h */
export const EXIT = { unavailable: 69, system: 71, noRoom: 74, configuration: 78 } as const;

/**
 * Expects a process to exit with this code after one line on stderr that contains `message` and not
 * `secret`. Returns its stdout.
 */
export async function expectFailedStart(
  name: ProcessName,
  env: Readonly<Record<string, string>>,
  expected: { code: number; message: string; secret?: string },
): Promise<string> {
  const { code, stdout, stderr } = await runToEnd(name, {
    env: { SVC_PORT: '0', LOG_LEVEL: 'info', ...env },
  });
  const [line = '', ...more] = stderr.split('\n');
  expect({ code, more, line }).toEqual({
    code: expected.code,
    more: [''],
    line: expect.stringContaining(expected.message),
  });
  expect(line).toMatch(new RegExp(`^${NAMES[name] ?? name}: \\S`));
  if (expected.secret !== undefined) expect(stdout + stderr).not.toContain(expected.secret);
  return stdout;
}
