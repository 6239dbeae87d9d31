import { installFolder } from '@svcforms/test-kit';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Programs for the tests of the manifests, built from Go modules. Each version has a folder of its
 * own.
 */
export const GO_TOOLS = {
  helm: 'helm.sh/helm/v3/cmd/helm@v3.22.0',
  'kube-score': 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0',
} as const;

export type GoTool = keyof typeof GO_TOOLS;

export function folderOf(tool: GoTool): string {
  return join(installFolder, 'go-tools', GO_TOOLS[tool].replaceAll(/[/@]/g, '-'));
}

/** The path of the program, and why it can't be used; empty if it can. */
export function goTool(tool: GoTool): { path: string; lacks: string } {
  const path = join(folderOf(tool), tool);
  const how = 'node tools/run.mjs setup/go-tools installs it (needs Go and its module proxy)';
  return { path, lacks: existsSync(path) ? '' : `${tool} is not installed: ${how}` };
}
