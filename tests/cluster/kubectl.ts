import { root } from '@svcforms/test-kit';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/**
 * Runs kubectl on the cluster of KUBECONFIG and returns its output. @throws Error with its stderr
 * if it fails.
 */
export async function kubectl(args: readonly string[], input = ''): Promise<string> {
  const child = spawn('kubectl', args, { cwd: root, env: process.env });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject)),
  ]);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${code}: ${stderr}`);
  return stdout;
}

export interface Listed<T> {
  items: T[];
}

export async function getJson<T>(...args: string[]): Promise<T> {
  return JSON.parse(await kubectl(['get', ...args, '-o', 'json'])) as T;
}
