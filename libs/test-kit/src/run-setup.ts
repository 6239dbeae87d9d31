import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getContainerRuntimeClient } from 'testcontainers';
import { chromiumPath } from './chromium-path.ts';
import type { BackendName } from './describe-with.ts';
import { MONGO_IMAGE, NATS_IMAGE } from './backends.ts';
import { createImageCheck } from './image-check.ts';

/**
 * jest globalSetup: creates the folder that suites share, and determines which backends are
 * missing.
 */
// oxlint-disable-next-line import/no-default-export -- jest requires it
export default async function setUp(): Promise<void> {
  process.env['SVC_TEST_RUN'] = mkdtempSync(join(tmpdir(), 'svcforms-test-'));
  const lacks: Partial<Record<BackendName, string>> = {};
  const client = await getContainerRuntimeClient().catch(() => null);
  const canStart = client
    ? createImageCheck(client.container.dockerode)
    : () => Promise.resolve('no container engine responds');
  const [nats, mongo, compose] = await Promise.all([
    process.env['NATS_URL'] ? null : canStart(NATS_IMAGE),
    process.env['MONGODB_URL'] ? null : canStart(MONGO_IMAGE),
    firstOf(['node:24-bookworm-slim', 'nginx:1.28-alpine', NATS_IMAGE, MONGO_IMAGE].map(canStart)),
  ]);
  if (nats) lacks.nats = nats;
  if (mongo) lacks.mongo = mongo;
  const noCompose = compose ?? (hasCompose() ? null : 'docker compose is not installed');
  if (noCompose) lacks.compose = noCompose;
  if (!process.env['KUBECONFIG'] || !process.env['KUBE_LOAD']) {
    lacks.kubernetes = 'KUBECONFIG and KUBE_LOAD are not both set';
  }
  if (!onPath('promtool')) lacks.promtool = 'promtool (Debian: prometheus) is not on the PATH';
  if (process.getuid?.() !== 0) lacks.root = 'needs root (mounts a small file system)';
  if (!existsSync(chromiumPath)) lacks.chromium = `no browser at ${chromiumPath} (CHROMIUM_PATH)`;
  process.env['SVC_TEST_MISSING'] = JSON.stringify(lacks);
}

async function firstOf(problems: Promise<string | null>[]): Promise<string | null> {
  return (await Promise.all(problems)).find((problem) => problem !== null) ?? null;
}

function hasCompose(): boolean {
  return spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0;
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
}
