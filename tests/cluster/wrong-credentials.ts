import { poll } from '@svcforms/test-kit';
import { getJson, kubectl } from './kubectl.ts';
import { BACKENDS_NAMESPACE, NAMESPACE } from './start-cluster.ts';

interface Container {
  env?: { name: string; value?: string }[];
  [field: string]: unknown;
}

interface Deployment {
  spec: { template: { spec: { containers: [Container]; [field: string]: unknown } } };
}

interface StartedPod {
  status: {
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { state: { terminated?: { exitCode: number } } }[];
  };
}

const WITHIN_MS = 40_000;

/**
 * A pod of inbound-gateway whose NATS user has the wrong password. It is behind no Service and ends
 * with its process.
 */
export async function startWithWrongCredentials(name: string) {
  const pod = `wrong-credentials-${name}`;
  const { spec } = (await getJson<Deployment>('deployment', 'inbound-gateway', '-n', NAMESPACE)).spec
    .template;
  const [container] = spec.containers;
  const url = `nats://inbound-gateway:wrong@nats.${BACKENDS_NAMESPACE}:4222`;
  const manifest = {
    apiVersion: 'v1',
    kind: 'Pod',
    // Network policies let pods with this label reach NATS.
    metadata: { name: pod, namespace: NAMESPACE, labels: { 'app.kubernetes.io/name': 'admin' } },
    spec: {
      ...spec,
      restartPolicy: 'Never',
      containers: [{ ...container, env: [...(container.env ?? []), { name: 'NATS_URL', value: url }] }],
    },
  };
  const remove = async () => {
    await kubectl(['-n', NAMESPACE, 'delete', 'pod', pod, '--ignore-not-found', '--now']);
  };
  // A test that is retried finds the pod of its first run.
  await remove();
  await kubectl(['apply', '-f', '-'], JSON.stringify(manifest));
  const status = async () => (await getJson<StartedPod>('pod', pod, '-n', NAMESPACE)).status;

  return {
    /** Resolves when its readiness probe has succeeded. */
    async isReady(): Promise<void> {
      await poll(
        async () =>
          (await status()).conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        { what: `readiness of ${pod}`, timeoutMs: WITHIN_MS, everyMs: 250 },
      );
    },
    /** Resolves when its process has ended. */
    async exitCode(): Promise<number> {
      const ended = await poll(async () => (await status()).containerStatuses?.[0]?.state.terminated, {
        what: `the end of ${pod}`,
        timeoutMs: WITHIN_MS,
        everyMs: 250,
      });
      return ended.exitCode;
    },
    log: () => kubectl(['-n', NAMESPACE, 'logs', pod]),
    /** Its response to a probe of store and bus. */
    async readiness(): Promise<{ status: number; body: unknown }> {
      const response = await fetch(`http://${(await status()).podIP}:8080/readyz`);
      return { status: response.status, body: await response.json() };
    },
    remove,
  };
}
