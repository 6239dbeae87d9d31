import type { Stack } from '../e2e/stack.ts';
import { getJson, kubectl } from './kubectl.ts';

const POD = 'admin-commands';

interface Deployment {
  spec: { template: { spec: { containers: { envFrom: { configMapRef?: { name: string } }[] }[] } } };
}

/**
 * Starts a pod like those of k8s/admin.sh, which stays, and returns what runs admin commands in it.
 * The script starts a pod for each command, which takes several times as long as the command.
 */
export async function startAdminPod(namespace: string, image: string): Promise<Stack['admin']> {
  const { spec } = await getJson<Deployment>('-n', namespace, 'deployment', 'forms-api');
  const settings = spec.template.spec.containers[0]?.envFrom.find(({ configMapRef }) => configMapRef);
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: POD,
      namespace,
      // As the network policies know it.
      labels: { 'app.kubernetes.io/name': 'admin', 'app.kubernetes.io/part-of': 'svcforms' },
    },
    spec: {
      automountServiceAccountToken: false,
      terminationGracePeriodSeconds: 0,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10001,
        runAsGroup: 10001,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'admin',
          image,
          imagePullPolicy: 'IfNotPresent',
          command: ['sleep', 'infinity'],
          envFrom: [settings, { secretRef: { name: 'admin' } }],
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  };
  await kubectl(['apply', '-f', '-'], JSON.stringify(pod));
  await kubectl(['-n', namespace, 'wait', '--for=condition=Ready', `pod/${POD}`, '--timeout=120s']);
  return (...args) => kubectl(['-n', namespace, 'exec', POD, '--', 'node', 'admin.cjs', ...args]);
}
