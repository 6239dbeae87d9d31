import { describeUnless, root } from '@svcforms/test-kit';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import {
  CHART,
  helm,
  lacksHelm,
  lacksKubectl,
  manifestsIn,
  renderChart,
  renderOverlay,
  type Manifest,
} from './programs.ts';

interface Pod {
  volumes: { name: string }[];
  containers: { volumeMounts: { name: string; mountPath: string }[] }[];
}

interface Deployment {
  spec: { template: { metadata: { annotations: Record<string, string> }; spec: Pod } };
}

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);

/**
 * The manifests by kind and name, without what differs on purpose: kustomize restarts pods by a
 * hash in the name of the ConfigMap and Helm by an annotation, Helm leaves the namespace to its
 * user, and the order of volumes means nothing.
 */
function comparable(manifests: readonly Manifest[]): Record<string, Manifest> {
  const relevant = manifests.filter(
    ({ kind, metadata }) => kind !== 'Namespace' && !metadata.annotations?.['helm.sh/hook'],
  );
  return Object.fromEntries(
    relevant.map((manifest) => {
      const plain = JSON.parse(
        JSON.stringify(manifest).replaceAll(/"settings-[a-z0-9]{10}"/g, '"settings"'),
      ) as Manifest;
      if (plain.kind === 'Deployment') {
        const { template } = (plain as unknown as Deployment).spec;
        delete template.metadata.annotations['checksum/settings'];
        template.spec.volumes.sort(byName);
        for (const container of template.spec.containers) container.volumeMounts.sort(byName);
      }
      return [`${plain.kind}/${plain.metadata.name}`, plain];
    }),
  );
}

const deploymentsIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[];

describeUnless(lacksHelm, 'the Helm chart', () => {
  it('passes helm lint', async () => {
    expect(await helm('lint', '--strict', CHART)).toMatchObject({ code: 0 });
  });

  it('has the version of the product', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
    const chart: unknown = parse(readFileSync(`${root}${CHART}/Chart.yaml`, 'utf8'));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('restarts the pods when a setting changes', async () => {
    const checksums = async (...options: string[]) =>
      deploymentsIn(manifestsIn(await renderChart(...options))).map(
        ({ spec }) => spec.template.metadata.annotations['checksum/settings'],
      );
    const [before, after] = await Promise.all([checksums(), checksums('--set', 'settings.LOG_LEVEL=debug')]);
    expect(new Set(before).size).toBe(1);
    expect(new Set(after).size).toBe(1);
    expect(after).not.toEqual(before);
  });

  it('has pull secrets, a priority class, images and an outbound proxy as values', async () => {
    const manifests = manifestsIn(
      await renderChart(
        '--set', 'imagePullSecrets[0].name=registry', '--set', 'priorityClassName=critical',
        '--set', 'image.registry=registry.example/forms', '--set', 'image.tag=1.2.3',
        '--set', 'image.digests.hitl=', '--set', 'host=forms.example.org',
        '--set', 'outboundProxy.url=http://proxy.example:8888', '--set', 'outboundProxy.cidr=10.9.8.7/32',
        '--set', 'outboundProxy.port=8888',
      ), // prettier-ignore
    );
    for (const { spec } of deploymentsIn(manifests)) {
      expect(spec.template.spec).toMatchObject({
        imagePullSecrets: [{ name: 'registry' }],
        priorityClassName: 'critical',
      });
    }
    const found = comparable(manifests);
    const hitl = found['Deployment/hitl'] as unknown as Deployment;
    expect(hitl.spec.template.spec.containers).toMatchObject([
      { image: 'registry.example/forms/hitl:1.2.3' },
    ]);
    expect(found['ConfigMap/settings']).toMatchObject({
      data: {
        SVC_BASE_URL: 'https://forms.example.org',
        SVC_OUTBOUND_PROXY: 'http://proxy.example:8888',
      },
    });
    expect(found['Ingress/public']).toMatchObject({
      spec: { tls: [{ hosts: ['forms.example.org'], secretName: 'forms-example-org-tls' }] },
    });
    expect(found['NetworkPolicy/to-listeners']).toMatchObject({
      spec: {
        egress: [{ to: [{ ipBlock: { cidr: '10.9.8.7/32' } }], ports: [{ protocol: 'TCP', port: 8888 }] }],
      },
    });
  });

  it('stores backups on a volume, or none, if the values say so', async () => {
    const ofBackup = ({ kind, metadata }: Manifest) =>
      kind === 'CronJob' || /backup/.test(metadata.name) ? [`${kind}/${metadata.name}`] : [];
    const none = manifestsIn(await renderChart('--set', 'backup.enabled=false'));
    expect(none.flatMap(ofBackup)).toEqual([]);
    const volume = manifestsIn(
      await renderChart('--set', 'backup.bucket=', '--set', 'backup.volume.claim=backups'),
    );
    expect(volume.flatMap(ofBackup)).toEqual(['ServiceAccount/backup', 'CronJob/backup']);
    const { data } = comparable(volume)['ConfigMap/settings'] as unknown as { data: Record<string, string> };
    expect(data).toMatchObject({ SVC_BACKUP_DIR: '/backups', SVC_BACKUP_KEEP_DAYS: '30' });
    expect(data).not.toHaveProperty('SVC_BACKUP_S3_BUCKET');
  });

  it('renders no Ingress if it is disabled', async () => {
    const manifests = manifestsIn(await renderChart('--set', 'ingress.enabled=false'));
    expect(manifests.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  });

  it.each([
    ['host=https://forms.example.com', '/host'],
    ['settings.SVC_ENCRYPTION_KEY=secret', '/settings'],
    ['settings.SVC_PORT=80', '/settings/SVC_PORT'],
    ['settings.OTHER=a', '/settings'],
    ['services.hitl.replicas.min=0', '/services/hitl/replicas/min'],
    ['services.hitl.replicas.min=50', 'services.hitl.replicas.min is greater than max'],
    ['services.other.replicas.min=1', '/services'],
    ['image.digests.hitl=sha256:1', '/image/digests/hitl'],
    ['outboundProxy.url=http://proxy:3128', '/outboundProxy/cidr'],
    ['backup.schedule=daily', '/backup/schedule'],
    ['backup.keepDays=-1', '/backup/keepDays'],
    ['backup.bucket=', 'backup.bucket or backup.volume.claim is required'],
    ['backup.volume.claim=backups', 'backup.bucket and backup.volume.claim are both set'],
    ['settings.SVC_BACKUP_S3_SECRET_ACCESS_KEY=secret', '/settings'],
    ['unknown=1', 'unknown'],
  ])('refuses the value %s and names it', async (value, named) => {
    await expect(renderChart('--set', value)).rejects.toThrow(named);
  });

  it('gives every service the files of its NATS user and the certificate authorities', async () => {
    for (const { spec } of deploymentsIn(manifestsIn(await renderChart()))) {
      const [{ volumeMounts } = { volumeMounts: [] }] = spec.template.spec.containers;
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/run/nats');
    }
  });

  it('refuses policies that would allow every address', async () => {
    for (const name of ['mongodb', 'nats', 'ingressController', 'monitoring']) {
      const refused = renderChart('--set-json', `networkPolicies.${name}=[]`);
      await expect(refused).rejects.toThrow(`/networkPolicies/${name}`);
    }
  });
});

describeUnless(
  [lacksHelm, lacksKubectl].filter(Boolean).join('; '),
  'the Helm chart with its defaults',
  () => {
    it('renders the same objects as the production overlay', async () => {
      const [chart, overlay] = await Promise.all([renderChart(), renderOverlay('k8s/overlays/production')]);
      const expected = comparable(manifestsIn(overlay));
      expect(Object.keys(expected).length).toBeGreaterThan(30);
      expect(comparable(manifestsIn(chart))).toEqual(expected);
    });
  },
);
