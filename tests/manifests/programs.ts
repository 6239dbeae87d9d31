import { root } from '@svcforms/test-kit';
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { goTool } from '../../tools/lib/go-tools.ts';

/** An object of Kubernetes. */
export interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  [field: string]: unknown;
}

const hasKubectl = spawnSync('kubectl', ['version', '--client'], { stdio: 'ignore' }).status === 0;

/** What is missing to render overlays; empty if nothing is. */
export const lacksKubectl = hasKubectl ? '' : 'kubectl is not on the PATH';
export const lacksHelm = goTool('helm').lacks;
export const lacksKubeScore = goTool('kube-score').lacks;
export const CHART = 'deploy/helm/svcforms';

// A helm that is built from its module doesn't know the version of Kubernetes that it belongs to.
const KUBE_VERSION = ['--kube-version', '1.34.0'];

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

async function run(program: string, args: readonly string[], input = ''): Promise<Ended> {
  const child = spawn(program, args, { cwd: root });
  child.stdin.end(input);
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject)),
  ]);
  return { code, stdout, stderr };
}

/** Runs helm. */
export const helm = (...args: string[]): Promise<Ended> => run(goTool('helm').path, args);

/** Renders the chart with these options. @throws Error with what helm says */
export async function renderChart(...options: string[]): Promise<string> {
  const args = ['template', 'svcforms', CHART, '--namespace', 'svcforms', ...KUBE_VERSION, ...options];
  const { code, stdout, stderr } = await helm(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Renders a kustomization. @throws Error with what kubectl says */
export async function renderOverlay(path: string): Promise<string> {
  const { code, stdout, stderr } = await run('kubectl', ['kustomize', path]);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/**
 * Parses a stream of YAML documents. @throws Error for YAML that strict readers refuse, such as a
 * key that appears twice
 */
export const manifestsIn = (yaml: string): Manifest[] =>
  parseAllDocuments(yaml).flatMap((document) => {
    const [error] = document.errors;
    if (error) throw error;
    return (document.toJSON() as Manifest | null) ?? [];
  });

const SCORE = [
  'score', '-', '--output-format', 'ci',
  // Image tags are immutable, so pulling them every time is not needed.
  '--ignore-test', 'container-image-pull-policy',
  // A CPU limit would slow responses down on a machine with spare capacity.
  '--ignore-container-cpu-limit',
]; // prettier-ignore

/** cert-manager creates the pods of these policies. */
const OF_PODS_ELSEWHERE = /acme-from-.*NetworkPolicy: The NetworkPolicys selector doesn't match any pods/;

/** Returns the critical findings of kube-score. @throws Error if it printed nothing */
export async function objectionsTo(yaml: string): Promise<string[]> {
  const { stdout, stderr } = await run(goTool('kube-score').path, SCORE, yaml);
  const lines = stdout.split('\n').filter((line) => line.startsWith('['));
  if (lines.length === 0) throw new Error(`kube-score printed nothing: ${stderr}`);
  return lines.filter((line) => line.startsWith('[CRITICAL]') && !OF_PODS_ELSEWHERE.test(line));
}
