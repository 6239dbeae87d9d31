import { root, tempFolder } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Secrets of the admin command, which aren't those of the services. Kubernetes lets the later
 * ones win, so the command has the addresses of the admin and the credentials of the bucket.
 */
const SECRETS = [{ secretRef: { name: 'backup', optional: true } }, { secretRef: { name: 'admin' } }];

interface Found {
  /** The settings of the Deployment. */
  deployment?: string;
  /** The pull secrets of the Deployment, as kubectl prints names. */
  pullSecrets?: string;
  configmaps?: readonly string[];
  /** The claim of the CronJob's volume for backups. */
  cronJobClaim?: string;
  /** A PersistentVolumeClaim named `backups`. */
  hasBackups?: boolean;
  /** The ServiceAccount of the CronJob. */
  hasBackupAccount?: boolean;
}

/**
 * Stands for kubectl and a cluster with these objects: prints what `get` finds, and keeps the
 * arguments of `run`.
 */
function clusterWith(found: Found, env: Readonly<Record<string, string>> = {}) {
  const folder = tempFolder();
  const ran = join(folder, 'ran');
  const kubectl = join(folder, 'kubectl');
  writeFileSync(
    kubectl,
    `#!/bin/sh
case "$*" in
*"get deployment"*imagePullSecrets*) printf '%s' '${found.pullSecrets ?? ''}' ;;
*"get deployment"*) printf '%s' '${found.deployment ?? ''}' ;;
*"get configmap"*) printf '%s\\n' ${(found.configmaps ?? []).map((name) => `configmap/${name}`).join(' ')} ;;
*"get cronjob backup"*'name=="backups"'*) printf '%s' '${found.cronJobClaim ?? ''}' ;;
*"get persistentvolumeclaim backups"*) printf '%s' '${found.hasBackups ? 'persistentvolumeclaim/backups' : ''}' ;;
*"get serviceaccount backup"*) printf '%s' '${found.hasBackupAccount ? 'serviceaccount/backup' : ''}' ;;
*" run "*)
  for each; do printf '%s\\0' "$each"; done > ${ran}
  # Like a container, runs the command with its input; node stands for the program.
  while [ "$1" != -- ]; do shift; done
  shift
  PATH=${folder}:$PATH "$@"
  ;;
esac
`,
  );
  chmodSync(kubectl, 0o755);
  const node = join(folder, 'node');
  writeFileSync(node, '#!/bin/sh\nprintf "node %s; " "$*"; cat\n');
  chmodSync(node, 0o755);
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['k8s/admin.sh', 'an-image', 'submission', 'trace', 'sub_1'],
    {
      cwd: root,
      encoding: 'utf8',
      input: 'the input',
      env: { ...env, PATH: `${folder}:${process.env['PATH']}` },
    },
  );
  return { status, stdout, stderr, args: existsSync(ran) ? readFileSync(ran, 'utf8').split('\0') : [] };
}

interface Pod {
  spec: {
    serviceAccountName: string;
    imagePullSecrets: object[];
    containers: [{ envFrom: object[]; volumeMounts: { name: string; mountPath: string }[] }];
    volumes: {
      name: string;
      persistentVolumeClaim?: { claimName: string };
      configMap?: { name: string; optional: boolean };
    }[];
  };
}

function podOf(args: readonly string[]): Pod['spec'] {
  const overrides = args.find((arg) => arg.startsWith('--overrides='))?.slice('--overrides='.length);
  return (JSON.parse(overrides ?? '') as Pod).spec;
}

const envFromOf = (args: readonly string[]) => podOf(args).containers[0].envFrom;

/** The claim with the backups, and where the command finds it. */
function backupsOf(args: readonly string[]) {
  const { containers, volumes } = podOf(args);
  const isBackups = ({ name }: { name: string }) => name === 'backups';
  return {
    claim: volumes.find(isBackups)?.persistentVolumeClaim?.claimName,
    path: containers[0].volumeMounts.find(isBackups)?.mountPath,
  };
}

describe('k8s/admin.sh', () => {
  it('runs the command with the settings of the running service and its own Secret', () => {
    const { status, stdout, args } = clusterWith({
      deployment: 'settings-now',
      configmaps: ['settings-old'],
    });
    expect(status).toBe(0);
    expect(envFromOf(args)).toEqual([{ configMapRef: { name: 'settings-now' } }, ...SECRETS]);
    expect(args.join(' ')).toContain('--image=an-image');
    // The line that starts the command isn't a part of its input.
    expect(stdout).toBe('node admin.cjs submission trace sub_1; the input');
  });

  it('runs it with the newest settings of the overlay before the service exists', () => {
    const { status, args } = clusterWith({ configmaps: ['settings-old', 'settings-new'] });
    expect(status).toBe(0);
    expect(envFromOf(args)).toEqual([{ configMapRef: { name: 'settings-new' } }, ...SECRETS]);
  });

  it('pulls its image with the secrets of the running service, and waits for a slow registry', () => {
    const { status, args } = clusterWith({ deployment: 'settings-now', pullSecrets: 'registry mirror' });
    expect(status).toBe(0);
    expect(podOf(args).imagePullSecrets).toEqual([{ name: 'registry' }, { name: 'mirror' }]);
    expect(args).toContain('--pod-running-timeout=5m');
  });

  it('pulls it with the secrets of the environment before the service exists', () => {
    const before = { configmaps: ['settings-new'] };
    const { args } = clusterWith(before, { IMAGE_PULL_SECRETS: 'registry' });
    expect(podOf(args).imagePullSecrets).toEqual([{ name: 'registry' }]);
    expect(podOf(clusterWith(before).args).imagePullSecrets).toEqual([]);
  });

  it.each<[string, string | undefined, Found, Record<string, string>]>([
    ['the one of the CronJob', 'nightly', { cronJobClaim: 'nightly', hasBackups: true }, {}],
    ['the one named backups before the CronJob exists', 'backups', { hasBackups: true }, {}],
    ['the one of the environment', 'nightly', { hasBackups: true }, { BACKUP_CLAIM: 'nightly' }],
    ['none if there is none', undefined, {}, {}],
  ])('mounts as volume for backups %s', (_, claim, found, env) => {
    const { status, args } = clusterWith({ deployment: 'settings-now', ...found }, env);
    expect(status).toBe(0);
    expect(backupsOf(args)).toEqual({ claim, path: claim && '/backups' });
  });

  it.each([
    ['backup', true],
    ['default', false],
  ])('has the identity of backups, which may be that of the bucket: %s', (serviceAccountName, exists) => {
    const { args } = clusterWith({ deployment: 'settings-now', hasBackupAccount: exists });
    expect(podOf(args)).toMatchObject({ serviceAccountName, automountServiceAccountToken: false });
  });

  it('mounts the optional certificate authorities, as the CronJob of backups does', () => {
    const { containers, volumes } = podOf(clusterWith({ deployment: 'settings-now' }).args);
    expect(volumes).toContainEqual({
      name: 'certificates',
      configMap: { name: 'certificates', optional: true },
    });
    expect(containers[0].volumeMounts).toContainEqual({
      name: 'certificates',
      mountPath: '/run/certificates',
      readOnly: true,
    });
  });

  it('says what to do if there are no settings', () => {
    const { status, stderr, args } = clusterWith({});
    expect({ status, args }).toEqual({ status: 78, args: [] });
    expect(stderr).toContain('kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings');
    expect(stderr).toContain('-s templates/settings.yaml | kubectl apply -f -');
  });
});
