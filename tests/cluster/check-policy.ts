import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { kubectl } from './kubectl.ts';

const KUBE_SCORE = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0';
const OPTIONS = [
  'score', '-', '--output-format', 'ci',
  // Image tags are immutable, so pulling them every time is not needed.
  '--ignore-test', 'container-image-pull-policy',
  // A CPU limit would slow responses down on a machine with spare capacity.
  '--ignore-container-cpu-limit',
]; // prettier-ignore

/**
 * Returns the critical findings of kube-score for an overlay. @throws Error if kube-score can't
 * run.
 */
export async function objectionsTo(overlay: string): Promise<string[]> {
  const child = spawn('go', ['run', KUBE_SCORE, ...OPTIONS], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(await kubectl(['kustomize', overlay]));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const lines = stdout.split('\n').filter((line) => line.startsWith('['));
  if (lines.length === 0) throw new Error(`kube-score printed nothing: ${stderr}`);
  return lines.filter((line) => line.startsWith('[CRITICAL]'));
}
