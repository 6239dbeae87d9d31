import { root } from '@svcforms/test-kit';
import type { BuildInfo } from '@svcforms/runtime';
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';

/**
 * What the programs of a build of `folder` report as their version. The commit is `GIT_COMMIT` of
 * the environment, for builds without a repository such as those of images; otherwise that of the
 * repository, or `unknown`.
 */
export function readBuildInfo(folder = root): BuildInfo {
  const { version } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as { version: string };
  return { version, commit: process.env['GIT_COMMIT'] || commitOf(folder) };
}

/** The commit of the repository whose top folder is `folder`. */
function commitOf(folder: string): string {
  try {
    const printed = execFileSync('git', ['rev-parse', '--show-toplevel', 'HEAD'], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [top = '', commit = ''] = printed.trim().split('\n');
    // A copy of this tree may lie inside another repository.
    return realpathSync(top) === realpathSync(folder) ? commit : 'unknown';
  } catch {
    return 'unknown';
  }
}
