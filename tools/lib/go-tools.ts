import { installFolder } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Programs for the load tests and the tests of the manifests, built from Go modules. Each version
 * has a folder of its own.
 */
const GO_TOOLS = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  k6: 'go.k6.io/k6@v1.8.1',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
} as const;

export type GoTool = keyof typeof GO_TOOLS;

export const goTools = Object.keys(GO_TOOLS) as GoTool[];

function folderOf(tool: GoTool): string {
  return join(installFolder, 'go-tools', GO_TOOLS[tool].replaceAll(/[/@]/g, '-'));
}

/** The path of the program, and why it can't be used; empty if it can. */
export function goTool(tool: GoTool): { path: string; lacks: string } {
  const path = join(folderOf(tool), tool);
  const how = 'node tools/run.mjs setup/go-tools installs it (needs Go and its module proxy)';
  return { path, lacks: existsSync(path) ? '' : `${tool} is not installed: ${how}` };
}

/** k6 on the PATH, or the one that is built here. */
export function findK6(): { path: string; lacks: string } {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.some((folder) => existsSync(join(folder, 'k6'))) ? { path: 'k6', lacks: '' } : goTool('k6');
}

/** Builds the program unless it exists. Returns whether it exists now, or prints why it doesn't. */
export function installGoTool(tool: GoTool): boolean {
  if (!goTool(tool).lacks) return true;
  const folder = folderOf(tool);
  const building = join(folder, `building-${process.pid}`);
  mkdirSync(building, { recursive: true });
  console.error(`Installing ${GO_TOOLS[tool]} (once) …`);
  const { status, error, stderr } = spawnSync('go', ['install', GO_TOOLS[tool]], {
    env: { ...process.env, GOBIN: building, CGO_ENABLED: '0' },
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`${tool} can't be installed: ${error?.message ?? stderr.trim()}`);
    return false;
  }
  // An interrupted installation leaves no partial program.
  renameSync(join(building, tool), join(folder, tool));
  return true;
}
