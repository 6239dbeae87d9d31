import { atEnd, describeUnless, describeWith, poll } from '@svcforms/test-kit';
import { CHART, helm, lacksHelm } from '../manifests/programs.ts';
import { getJson, kubectl, type Listed } from './kubectl.ts';
import { startKubernetes } from './start-cluster.ts';

const MINUTES = 60_000;
const NAMESPACE = 'svcforms-helm';

interface ConfigMap {
  metadata: { name: string };
  data: Record<string, string>;
}

interface Workload {
  spec: { template: { spec: { containers: [{ envFrom: { configMapRef?: { name: string } }[] }] } } };
}

const settingsOf = ({ spec }: Workload): string =>
  spec.template.spec.containers[0].envFrom.find(({ configMapRef }) => configMapRef)?.configMapRef?.name ?? '';

/** `LOG_LEVEL` in each ConfigMap with settings. */
async function logLevels(): Promise<Record<string, string | undefined>> {
  const label = 'app.kubernetes.io/component=settings';
  const { items } = await getJson<Listed<ConfigMap>>('configmap', '-n', NAMESPACE, '-l', label);
  return Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, data['LOG_LEVEL']]));
}

/** The settings that pods of hitl need, of the current revision and of earlier ones. */
async function neededSettings(): Promise<string[]> {
  const label = 'app.kubernetes.io/name=hitl';
  const { items } = await getJson<Listed<Workload>>('replicaset', '-n', NAMESPACE, '-l', label);
  return items.map(settingsOf);
}

const currentSettings = async () =>
  settingsOf(await getJson<Workload>('deployment', 'hitl', '-n', NAMESPACE));

async function release(command: string, ...args: string[]): Promise<number | null> {
  return (await helm(command, 'svcforms', ...args, '--namespace', NAMESPACE)).code;
}

describeWith(['kubernetes'], 'a release of the Helm chart', () => {
  describeUnless(lacksHelm, 'whose upgrade fails', () => {
    beforeAll(startKubernetes, 20 * MINUTES);

    beforeAll(async () => {
      await kubectl(['create', 'namespace', NAMESPACE]);
      atEnd(() => kubectl(['delete', 'namespace', NAMESPACE, '--wait']));
      // Objects are enough, so the cluster needs no images.
      await kubectl(['-n', NAMESPACE, 'create', 'quota', 'no-pods', '--hard=pods=0']);
    }, MINUTES);

    it(
      'keeps the settings of the pods before it, even when it is repeated and rolled back',
      async () => {
        expect(await release('install', CHART)).toBe(0);
        const first = await currentSettings();
        await poll(async () => (await neededSettings()).includes(first), { what: 'the first revision' });

        const fails = ['--wait', '--timeout', '1s'];
        expect(await release('upgrade', CHART, '--set', 'settings.LOG_LEVEL=debug', ...fails)).toBe(1);
        const second = await currentSettings();
        await poll(async () => (await neededSettings()).includes(second), { what: 'the second revision' });
        expect(second).not.toBe(first);
        expect(await logLevels()).toEqual({ [first]: 'info', [second]: 'debug' });

        expect(await release('upgrade', CHART, '--set', 'settings.LOG_LEVEL=warn')).toBe(0);
        const third = await currentSettings();
        expect(await logLevels()).toEqual({ [first]: 'info', [second]: 'debug', [third]: 'warn' });

        expect(await release('rollback', '1')).toBe(0);
        expect(await currentSettings()).toBe(first);
        expect(await logLevels()).toEqual({ [first]: 'info' });
      },
      MINUTES,
    );
  });
});
