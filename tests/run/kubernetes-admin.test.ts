import { root, tempFolder } from '@svcforms/test-kit';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The Secrets of the admin command, which aren't those of the services. Kubernetes lets the later ones win, so the command has
 * the addresses of the admin and the credentials of the bucket.
 */
const SECRETS = [{ secretRef: { name: 'backup', optional: true } }, { secretRef: { name: 'admin' } }];

/** Stands for kubectl and a cluster with these objects: prints what `get` finds, and keeps the arguments of `run`. */
function clusterWith(found: { deployment?: string; configmaps?: readonly string[] }) {
  const folder = tempFolder();
  const ran = join(folder, 'ran');
  const kubectl = join(folder, 'kubectl');
  writeFileSync(
    kubectl,
    `#!/bin/sh
case "$*" in
*"get deployment"*) printf '%s' '${found.deployment ?? ''}' ;;
*"get configmap"*) printf '%s\\n' ${(found.configmaps ?? []).map((name) => `configmap/${name}`).join(' ')} ;;
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
      env: { PATH: `${folder}:${process.env['PATH']}` },
    },
  );
  return { status, stdout, stderr, args: existsSync(ran) ? readFileSync(ran, 'utf8').split('\0') : [] };
}

interface Pod {
  spec: { containers: [{ envFrom: object[] }] };
}

function envFromOf(args: readonly string[]): object[] {
  const overrides = args.find((arg) => arg.startsWith('--overrides='))?.slice('--overrides='.length);
  return (JSON.parse(overrides ?? '') as Pod).spec.containers[0].envFrom;
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

  it('says what to do if there are no settings', () => {
    const { status, stderr, args } = clusterWith({});
    expect({ status, args }).toEqual({ status: 78, args: [] });
    expect(stderr).toContain('kubectl apply -k OVERLAY -l app.kubernetes.io/component=settings');
  });
});
