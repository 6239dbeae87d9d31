import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';
import { chromiumPath } from './chromium-path.ts';
import type { BackendName } from './describe-with.ts';

/**
 * jest globalSetup: creates the folder that suites share, and determines which backends are
 * missing.
 */
// oxlint-disable-next-line import/no-default-export -- jest requires it
export default async function setUp(): Promise<void> {
  process.env['SVC_TEST_RUN'] = mkdtempSync(join(tmpdir(), 'svcforms-test-'));
  const lacks: Partial<Record<BackendName, string>> = {};
  const docker = await getContainerRuntimeClient().then(
    () => null,
    () => 'no container runtime is available',
  );
  if (docker) {
    lacks.compose = docker;
    if (!process.env['NATS_URL']) lacks.nats = docker;
    if (!process.env['MONGODB_URL']) lacks.mongo = docker;
  } else {
    try {
      execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    } catch {
      lacks.compose = 'docker compose is not installed';
    }
  }
  if (!process.env['KUBECONFIG'] || !process.env['KUBE_LOAD']) {
    lacks.kubernetes = 'KUBECONFIG and KUBE_LOAD are not both set';
  }
  if (!['k6', 'go'].some(onPath)) lacks.k6 = 'neither k6 nor Go, which could install it, is on the PATH';
  if (process.getuid?.() !== 0) lacks.root = 'needs root (mounts a small file system)';
  if (!existsSync(chromiumPath)) lacks.chromium = `no browser at ${chromiumPath} (CHROMIUM_PATH)`;
  process.env['SVC_TEST_MISSING'] = JSON.stringify(lacks);
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}
