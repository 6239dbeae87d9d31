import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { kubectl } from './kubectl.ts';

const KUBE_SCORE = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0';
const OPTIONS = [
  'score', '-', '--output-format', 'ci',
  // Images are named by tags that never move.
  '--ignore-test', 'container-image-pull-policy',
  // Held back, a service would answer late on a machine that has time for it.
  '--ignore-container-cpu-limit',
]; // prettier-ignore

/** What kube-score calls critical in an overlay. @throws Error when it can't be run. */
export async function objectionsTo(overlay: string): Promise<string[]> {
  const child = spawn('go', ['run', KUBE_SCORE, ...OPTIONS], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(await kubectl(['kustomize', overlay]));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = stdout.split('\n').filter((line) => line.startsWith('['));
  if (lines.length === 0) throw new Error(`kube-score said nothing: ${stderr}`);
  return lines.filter((line) => line.startsWith('[CRITICAL]'));
}
