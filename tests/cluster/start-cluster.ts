import {
  atEnd,
  freePort,
  newApiKey,
  poll,
  root,
  startMailServer,
  tempFolder,
  testCertificate,
  testSettings,
} from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { SCENARIO_SETTINGS, type Stack } from '../e2e/stack.ts';
import { startAdminPod } from './admin-pod.ts';
import { startEdge } from './edge-from-ingress.ts';
import { getJson, kubectl, type Listed } from './kubectl.ts';

export const NAMESPACE = 'svcforms';
export const BACKENDS_NAMESPACE = 'svcforms-engines';
export const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher', 'hitl', 'embed-cdn'] as const;

const MINUTE = 60_000;
const ADMIN_IMAGE = 'svcforms/forms-api:local';
/** The CronJob, and a volume for what it stores. */
const BACKUP_COMPONENTS = ['backup', 'backup-volume'];
const ONE_PATH_EACH = ['/api/forms', '/api/inbound/form_none', '/api/mcp', '/embed.js'];
const NATS_IMAGE = process.env['NATS_IMAGE'] ?? 'nats:2.12-alpine';
const MONGO_IMAGE = process.env['MONGO_IMAGE'] ?? 'mongo:8';

interface Node {
  status: { addresses: { type: string; address: string }[] };
}

/** Runs a program in the repository and returns its output. */
export async function run(program: string, args: readonly string[]): Promise<string> {
  const options = { cwd: root, env: process.env, maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** Runs an admin command as operators do: in its own pod, because no service has their rights. */
export const adminInOwnPod: Stack['admin'] = (...args) =>
  run('bash', ['-c', 'k8s/admin.sh "$@" </dev/null', 'admin', ADMIN_IMAGE, ...args]);

/**
 * Starts Kubernetes with the command of KUBE_START. If that isn't set, the cluster of KUBECONFIG
 * runs already.
 */
export async function startKubernetes(): Promise<void> {
  const [program, ...args] = commandOf('KUBE_START');
  if (program) await run(program, args);
}

/**
 * Deploys the local overlay to the cluster of KUBECONFIG with images built from this tree, behind
 * an edge that implements the Ingress objects. KUBE_LOAD is the command that copies images into the
 * nodes. `stop` removes its namespaces.
 */
export async function startCluster(): Promise<Stack> {
  const apiKey = newApiKey();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const node = await nodeAddress();
  const { key, cert, caFile } = await testCertificate([node]);
  const mailServer = await startMailServer({ host: '0.0.0.0', publicHost: node });

  const removed = () =>
    kubectl(['delete', 'namespace', NAMESPACE, BACKENDS_NAMESPACE, '--ignore-not-found', '--wait']);
  await removed();
  const unregister = atEnd(removed);
  await run('bash', ['k8s/overlays/local/make-secrets.sh']);
  // Without this Secret, which is optional, the first owner is that of the settings below.
  await kubectl(['-n', NAMESPACE, 'delete', 'secret', 'bootstrap']);
  // The backends start while the images of the services are built.
  await Promise.all([startBackends(), loadServices()]);
  const settings = {
    ...testSettings({ apiKey, caFile: '/run/test/ca.pem', targets: `${node}/32` }),
    ...SCENARIO_SETTINGS,
    SVC_BASE_URL: baseUrl,
    SMTP_URL: mailServer.url,
    LOG_LEVEL: 'warn',
  };
  await kubectl(['apply', '-k', testOverlay(settings, caFile)]);
  await kubectl([
    '-n',
    NAMESPACE,
    'wait',
    '--for=condition=Available',
    'deployment',
    '--all',
    '--timeout=180s',
  ]);
  await startEdge(NAMESPACE, port);
  await poll(() => isRouted(baseUrl), {
    what: 'every path of the edge',
    timeoutMs: MINUTE,
  });
  return {
    baseUrl,
    apiKey,
    webhookEndpointOptions: { tls: { key, cert }, host: '0.0.0.0', publicHost: node },
    mailServer,
    admin: await startAdminPod(NAMESPACE, ADMIN_IMAGE),
    async stop() {
      unregister();
      await removed();
    },
  };
}

/**
 * Returns whether a service responds on each path. Nodes learn the addresses of new pods a moment
 * after these are available.
 */
export async function isRouted(baseUrl: string): Promise<boolean> {
  const responses = await Promise.all(
    ONE_PATH_EACH.map((path) =>
      fetch(baseUrl + path)
        .then(({ status }) => status < 500)
        .catch(() => false),
    ),
  );
  return responses.every(Boolean);
}

/** The address of this machine as seen from pods. */
async function nodeAddress(): Promise<string> {
  const { items } = await getJson<Listed<Node>>('nodes');
  const address = items[0]?.status.addresses.find(({ type }) => type === 'InternalIP')?.address;
  if (!address) throw new Error('the cluster has no node with an internal address');
  return address;
}

async function startBackends(): Promise<void> {
  await loadImages([NATS_IMAGE, MONGO_IMAGE]);
  await kubectl(['apply', '-k', overlayOf('k8s/overlays/local/engines', { images: backendImages() })]);
  await kubectl(['-n', BACKENDS_NAMESPACE, 'rollout', 'status', 'statefulset', '--timeout=180s']);
}

async function loadServices(): Promise<void> {
  // Builds the images one by one, because they share most layers.
  await run('docker', ['compose', '--parallel', '1', 'build', '--quiet', ...SERVICES]);
  for (const service of SERVICES)
    await run('docker', ['tag', `svcforms/${service}`, `svcforms/${service}:local`]);
  await loadImages(SERVICES.map((service) => `svcforms/${service}:local`));
}

/** The words of the command that a variable of the environment contains; none if it isn't set. */
function commandOf(name: string): string[] {
  return (process.env[name] ?? '').split(' ').filter(Boolean);
}

async function loadImages(images: readonly string[]): Promise<void> {
  const [program, ...args] = commandOf('KUBE_LOAD');
  if (!program) throw new Error('KUBE_LOAD, the command that copies images into the cluster, is not set');
  await run(program, [...args, ...images]);
}

/** Replaces the backend images of the overlay with those available on this machine. */
function backendImages(): object[] {
  const [mongo = '', mongoTag] = MONGO_IMAGE.split(':');
  const [nats = '', natsTag] = NATS_IMAGE.split(':');
  return [
    { name: 'mongo', newName: mongo, newTag: mongoTag },
    { name: 'nats', newName: nats, newTag: natsTag },
  ];
}

/** Writes an overlay on top of the one at `path` with `changes` and returns its folder. */
function overlayOf(path: string, changes: object, folder = tempFolder()): string {
  const overlay = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [relative(folder, join(root, path))],
    ...changes,
  };
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay));
  return folder;
}

/**
 * Writes a copy of the production overlay with all of its components enabled and returns its
 * folder.
 */
export function everyComponent(): string {
  const folder = tempFolder();
  const overlay = readFileSync(join(root, 'k8s/overlays/production/kustomization.yaml'), 'utf8')
    .replaceAll(/^# (components:| {2}- \.\.)/gm, '$1')
    .replaceAll('../..', relative(folder, join(root, 'k8s')));
  writeFileSync(join(folder, 'kustomization.yaml'), overlay);
  return folder;
}

/** Writes the local overlay with the settings of the tests and returns its folder. */
function testOverlay(settings: Record<string, string>, caFile: string): string {
  const folder = tempFolder();
  copyFileSync(caFile, join(folder, 'ca.pem'));
  const changes = {
    configMapGenerator: [
      {
        name: 'settings',
        namespace: NAMESPACE,
        behavior: 'merge',
        literals: Object.entries(settings).map(([name, value]) => `${name}=${value}`),
      },
      { name: 'test-ca', namespace: NAMESPACE, files: ['ca.pem'] },
    ],
    components: BACKUP_COMPONENTS.map((component) =>
      relative(folder, join(root, 'k8s/components', component)),
    ),
    images: [...backendImages(), { name: 'svcforms/forms-api', newTag: 'local' }],
    patches: [
      {
        // The volumes of the test cluster have 5 GiB.
        target: { kind: 'PersistentVolumeClaim', name: 'backups' },
        patch: JSON.stringify([{ op: 'replace', path: '/spec/resources/requests/storage', value: '1Gi' }]),
      },
      {
        target: { kind: 'Deployment' },
        patch: JSON.stringify([
          {
            op: 'add',
            path: '/spec/template/spec/volumes/-',
            value: { name: 'test-ca', configMap: { name: 'test-ca' } },
          },
          {
            op: 'add',
            path: '/spec/template/spec/containers/0/volumeMounts/-',
            value: { name: 'test-ca', mountPath: '/run/test' },
          },
        ]),
      },
    ],
  };
  return overlayOf('k8s/overlays/local', changes, folder);
}
