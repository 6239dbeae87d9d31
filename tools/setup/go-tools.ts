// node tools/run.mjs setup/go-tools: installs the programs that tests/manifests need, once. Prints
// what could not be installed; the tests then say so too.
import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf, GO_TOOLS, goTool, type GoTool } from '../lib/go-tools.ts';

function install(tool: GoTool): boolean {
  if (!goTool(tool).lacks) return true;
  const folder = folderOf(tool);
  const building = join(folder, `building-${process.pid}`);
  mkdirSync(building, { recursive: true });
  console.log(`Installing ${GO_TOOLS[tool]} (once) …`);
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

const installed = (Object.keys(GO_TOOLS) as GoTool[]).map(install);
process.exitCode = installed.every(Boolean) ? 0 : 1;
