import { settingsSchema } from '@svcforms/runtime';
import { describeUnless, root, tempFolder } from '@svcforms/test-kit';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

interface CronJob {
  spec: { jobTemplate: { spec: { template: { spec: Pod } } } };
}

const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);

/**
 * The manifests by kind and name, without what differs on purpose: kustomize and Helm have
 * different hashes in the name of the ConfigMap, Helm leaves the namespace to its user, and the
 * order of volumes means nothing.
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
        template.spec.volumes.sort(byName);
        for (const container of template.spec.containers) container.volumeMounts.sort(byName);
      }
      return [`${plain.kind}/${plain.metadata.name}`, plain];
    }),
  );
}

/**
 * Renders the notes in a copy of the chart that has them in an object: helm prints them only with a
 * cluster.
 */
async function renderNotes(): Promise<string> {
  const copy = join(tempFolder(), 'chart');
  cpSync(`${root}${CHART}`, copy, { recursive: true });
  const text = readFileSync(join(copy, 'templates/NOTES.txt'), 'utf8');
  writeFileSync(
    join(copy, 'templates/notes.yaml'),
    `{{ define "notes" }}${text}{{ end }}\nnotes: {{ include "notes" . | quote }}\n`,
  );
  const { stdout } = await helm('template', copy, '--kube-version', '1.34.0', '-s', 'templates/notes.yaml');
  return (parse(stdout) as { notes: string }).notes;
}

/**
 * Runs the program of `helm test` against a forms-api of this version. @throws Error if it fails
 */
async function helmTest(version: string, ...options: string[]): Promise<void> {
  const manifests = manifestsIn(await renderChart(...options));
  const { spec } = manifests.find(({ kind }) => kind === 'Pod') as unknown as {
    spec: { containers: [{ command: [string, ...string[]] }] };
  };
  const server = createServer((_, response) => void response.end(JSON.stringify({ version }))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [, ...args] = spec.containers[0].command;
  try {
    await promisify(execFile)(
      process.execPath,
      args.map((arg) => arg.replace('http://forms-api:8080', `http://127.0.0.1:${port}`)),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const deploymentsIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Deployment') as unknown as Deployment[];

const RULE = 'networkPolicies.egress[0]';

describeUnless(lacksHelm, 'the Helm chart', () => {
  it('passes helm lint', async () => {
    expect(await helm('lint', '--strict', CHART)).toMatchObject({ code: 0 });
  });

  it('has the version of the product', () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
    const chart: unknown = parse(readFileSync(`${root}${CHART}/Chart.yaml`, 'utf8'));
    expect(chart).toMatchObject({ version, appVersion: version });
  });

  it('tests that forms-api has the version of the image', async () => {
    const { version } = parse(readFileSync(`${root}${CHART}/Chart.yaml`, 'utf8')) as { version: string };
    await helmTest(version);
    await helmTest('7.8.9', '--set', 'image.tag=v7.8.9');
    await expect(helmTest('7.8.9')).rejects.toThrow('forms-api is version 7.8.9');
    await expect(helmTest(version, '--set', 'image.tag=7.8.9')).rejects.toThrow(`is version ${version}`);
    // Such a tag doesn't say which version it is.
    await helmTest('7.8.9', '--set', 'image.tag=local');
  });

  it('gives changed settings another name, which restarts the pods', async () => {
    const settingsIn = async (...options: string[]) => {
      const manifests = manifestsIn(await renderChart(...options));
      const maps = manifests.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name);
      const used = JSON.stringify(manifests).matchAll(/"configMapRef":\{"name":"([^"]+)"\}/g);
      expect(new Set([...used].map(([, name]) => name))).toEqual(new Set(maps));
      return maps;
    };
    const [before, after] = await Promise.all([
      settingsIn(),
      settingsIn('--set', 'settings.LOG_LEVEL=debug'),
    ]);
    expect([before, after].map(({ length }) => length)).toEqual([1, 1]);
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

  it('mounts the optional certificate authority of the bucket for backups', async () => {
    const job = comparable(manifestsIn(await renderChart()))['CronJob/backup'] as unknown as CronJob;
    const { volumes, containers } = job.spec.jobTemplate.spec.template.spec;
    const name = 'certificates';
    expect(volumes).toContainEqual({ name, configMap: { name, optional: true } });
    expect(containers[0]?.volumeMounts).toContainEqual({
      name,
      mountPath: '/run/certificates',
      readOnly: true,
    });
  });

  it('allows the ports of MongoDB, NATS and the mail server that the values name', async () => {
    const ports =
      'mongodbPorts={10255},networkPolicies.natsPorts={4222,4223},networkPolicies.mailServerPorts={2525}';
    const rendered = comparable(manifestsIn(await renderChart('--set', `networkPolicies.${ports}`)));
    const allowed = ['mongodb', 'nats', 'mail-server'].map((name) => {
      const { spec } = rendered[`NetworkPolicy/to-${name}`] as unknown as {
        spec: { egress: [{ ports: unknown[] }] };
      };
      return spec.egress[0].ports;
    });
    const tcp = (port: number) => ({ protocol: 'TCP', port });
    expect(allowed).toEqual([[tcp(10_255)], [tcp(4222), tcp(4223)], [tcp(2525)]]);
  });

  // helm upgrade --reuse-values uses the values of the release alone, without the defaults of the
  // new chart.
  it('takes the values of a release that lack the newest ones', async () => {
    const newest = [
      'networkPolicies.mongodbPorts',
      'networkPolicies.natsPorts',
      'networkPolicies.mailServerPorts',
      'networkPolicies.backupCredentials',
      'networkPolicies.egress',
      'backup.serviceAccountAnnotations',
    ];
    const [reused, fresh] = await Promise.all([
      renderChart(...newest.flatMap((name) => ['--set', `${name}=null`])),
      renderChart(),
    ]);
    expect(manifestsIn(reused)).toEqual(manifestsIn(fresh));
  });

  it('lets backups get credentials from the identity of the pod or the machine', async () => {
    const rule = { to: [{ ipBlock: { cidr: '169.254.170.23/32' } }], ports: [{ protocol: 'TCP', port: 80 }] };
    const role = { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::123456789012:role/backup' };
    const rendered = comparable(
      manifestsIn(
        await renderChart(
          '--set-json', `networkPolicies.backupCredentials=${JSON.stringify([rule])}`,
          '--set-json', `backup.serviceAccountAnnotations=${JSON.stringify(role)}`,
        ), // prettier-ignore
      ),
    );
    const toStore = { ports: [{ port: 443 }] };
    expect(rendered['NetworkPolicy/to-backup-store']).toMatchObject({ spec: { egress: [toStore, rule] } });
    expect(rendered['ServiceAccount/backup']?.metadata.annotations).toEqual(role);
    // Services that call URLs of users don't get there.
    expect(JSON.stringify(rendered['NetworkPolicy/to-listeners'])).not.toContain('169.254.170.23');
  });

  it('lets the values replace an annotation of the Ingress', async () => {
    const name = 'nginx.ingress.kubernetes.io/proxy-connect-timeout';
    const manifests = manifestsIn(
      await renderChart('--set-json', `ingress.annotations={"${name}":"5","example.com/a":"b"}`),
    );
    for (const ingress of ['public', 'streams']) {
      expect(comparable(manifests)[`Ingress/${ingress}`]?.metadata.annotations).toMatchObject({
        [name]: '5',
        'example.com/a': 'b',
        'nginx.ingress.kubernetes.io/proxy-body-size': '0',
      });
    }
  });

  it('admits the ingress controller of the values to the pods that answer ACME challenges', async () => {
    const from = [{ ipBlock: { cidr: '10.0.40.0/24' } }];
    const manifests = manifestsIn(
      await renderChart('--set-json', `networkPolicies.ingressController=${JSON.stringify(from)}`),
    );
    expect(comparable(manifests)['NetworkPolicy/acme-from-ingress-controller']).toMatchObject({
      spec: {
        podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
        ingress: [{ from, ports: [{ protocol: 'TCP', port: 8089 }] }],
      },
    });
  });

  it('lets webhooks reach what the values add, for the settings that need it', async () => {
    const rule = {
      to: [{ ipBlock: { cidr: '10.1.0.0/16' } }],
      ports: [{ protocol: 'TCP', port: 80 }],
    };
    const settings = {
      SVC_ALLOWED_TARGETS: '10.1.0.0/16',
      SVC_ALLOW_HTTP: 'true',
      SVC_DNS_SERVERS: '10.1.0.2',
    };
    const values = { settings, networkPolicies: { egress: [rule] } };
    const egressOf = async (more: object) => {
      const json = Object.entries({ ...values, ...more }).map(
        ([name, value]) => `${name}=${JSON.stringify(value)}`,
      );
      const manifests = manifestsIn(await renderChart(...json.flatMap((one) => ['--set-json', one])));
      return comparable(manifests)['NetworkPolicy/to-listeners'];
    };
    const toPublic = { ports: [{ port: 443 }, { port: 1024, endPort: 65_535 }] };
    expect(await egressOf({})).toMatchObject({ spec: { egress: [toPublic, rule] } });
    const outboundProxy = { url: 'http://proxy.example:3128', cidr: '10.9.8.7/32' };
    expect(await egressOf({ outboundProxy })).toMatchObject({
      spec: { egress: [{ ports: [{ port: 3128 }] }, rule] },
    });
  });

  it('needs no such rule for settings that are off, nor for targets behind an outbound proxy', async () => {
    await expect(
      renderChart('--set-json', 'settings={"SVC_ALLOW_HTTP":"false","SVC_ALLOWED_TARGETS":""}'),
    ).resolves.toContain('to-listeners');
    await expect(
      renderChart(
        '--set', 'outboundProxy.url=http://p:3128,outboundProxy.cidr=10.0.0.1/32',
        '--set', 'settings.SVC_ALLOWED_TARGETS=10.0.0.0/8',
      ), // prettier-ignore
    ).resolves.toContain('to-listeners');
  });

  it('refuses single sign-on whose identity provider only an outbound proxy could reach', async () => {
    const proxied = ['--set', 'outboundProxy.url=http://p:3128,outboundProxy.cidr=10.0.0.1/32'];
    const provider = [
      '--set',
      'settings.SVC_OIDC_ISSUER=https://idp.example,settings.SVC_OIDC_CLIENT_ID=forms',
    ];
    await expect(renderChart(...proxied, ...provider)).rejects.toThrow(
      'settings.SVC_OIDC_ISSUER is set, but the network policies allow only the outbound proxy; add to ' +
        'networkPolicies.egress an egress rule with the addresses and the port of the identity provider',
    );
    const rule =
      'networkPolicies.egress=[{"to":[{"ipBlock":{"cidr":"192.0.2.7/32"}}],"ports":[{"port":443}]}]';
    await expect(renderChart(...proxied, ...provider, '--set-json', rule)).resolves.toContain('192.0.2.7/32');
    await expect(renderChart(...provider)).resolves.toContain('https://idp.example');
  });

  it.each([
    'https://10.1.2.3',
    'https://172.31.0.1:8443/realms/x',
    'https://100.64.0.1',
    'https://[fd00::1]/',
    'https://keycloak.auth.svc/realms/x',
    'https://Keycloak.auth.svc.cluster.local:8443',
  ])('refuses the identity provider %s, which the network policies would block', async (issuer) => {
    const provider = ['--set', `settings.SVC_OIDC_ISSUER=${issuer},settings.SVC_OIDC_CLIENT_ID=forms`];
    await expect(renderChart(...provider)).rejects.toThrow(
      'settings.SVC_OIDC_ISSUER is set, but the network policies allow only public addresses, port 443 and ports ' +
        'from 1024; add to networkPolicies.egress an egress rule with the addresses and the port of the identity',
    );
    const rule = `${RULE}.to[0].ipBlock.cidr=10.1.0.0/16,${RULE}.ports[0].port=443`;
    await expect(renderChart(...provider, '--set', rule)).resolves.toContain(issuer);
  });

  it.each(['https://172.32.0.1', 'https://[2001:db8::1]', 'https://10.svc.example.com'])(
    'takes the identity provider %s, whose address may be public',
    async (issuer) => {
      await expect(renderChart('--set', `settings.SVC_OIDC_ISSUER=${issuer}`)).resolves.toContain(issuer);
    },
  );

  it('renders names that look like numbers or flags as text', async () => {
    const values = [
      'ingress.className=10',
      'ingress.tlsSecretName=2026',
      'priorityClassName=true',
      'host=1.5',
    ];
    const manifests = manifestsIn(await renderChart(...values.flatMap((value) => ['--set-string', value])));
    const [ingress] = manifests.filter(({ kind }) => kind === 'Ingress');
    expect(ingress?.spec).toMatchObject({
      ingressClassName: '10',
      tls: [{ hosts: ['1.5'], secretName: '2026' }],
      rules: [{ host: '1.5' }],
    });
    const [deployment] = manifests.filter(({ kind }) => kind === 'Deployment');
    expect(deployment?.spec).toMatchObject({ template: { spec: { priorityClassName: 'true' } } });
  });

  it('lets pods listen on IPv6 addresses', async () => {
    await expect(renderChart('--set-string', 'settings.SVC_HOST=::')).resolves.toMatch(
      /^ *SVC_HOST: ["']::["']$/m,
    );
  });

  it('renders no Ingress if it is disabled', async () => {
    const manifests = manifestsIn(await renderChart('--set', 'ingress.enabled=false'));
    expect(manifests.filter(({ kind }) => kind === 'Ingress')).toEqual([]);
  });

  it.each([
    ['host=https://forms.example.com', '/host'],
    ['settings.SVC_PORT=80', '/settings/SVC_PORT'],
    ['settings.OTHER=a', "/settings': additional properties 'OTHER'"],
    ['settings.SVC_TYPO=a', "/settings': additional properties 'SVC_TYPO'"],
    ['settings.SVC_BASE_URL=https://a.example', "settings.SVC_BASE_URL can't be set here; set host"],
    ['settings.SVC_HOST=localhost', 'settings.SVC_HOST must be 0.0.0.0 or ::'],
    ['settings.SVC_DATA_DIR=/a', "settings.SVC_DATA_DIR can't be set here; remove it"],
    ['settings.SVC_BACKUP_DIR=/a', "settings.SVC_BACKUP_DIR can't be set here; set backup.volume.claim"],
    ['settings.SVC_OUTBOUND_PROXY=http://a', "can't be set here; set outboundProxy.url"],
    [
      'settings.SVC_ALLOWED_TARGETS=10.0.0.0/8',
      'add to networkPolicies.egress an egress rule with the private',
    ],
    [
      'settings.SVC_DNS_SERVERS=10.0.0.10',
      'add to networkPolicies.egress an egress rule with the name servers',
    ],
    ['networkPolicies.egress[0].ports[0].port=80', '/networkPolicies/egress/0'],
    ['networkPolicies.mongodbPorts={}', '/networkPolicies/mongodbPorts'],
    ['networkPolicies.natsPorts={70000}', '/networkPolicies/natsPorts/0'],
    ['networkPolicies.backupCredentials[0].ports[0].port=80', '/networkPolicies/backupCredentials/0'],
    ['services.hitl.replicas.min=0', '/services/hitl/replicas/min'],
    ['services.hitl.replicas.min=50', 'services.hitl.replicas.min is greater than max'],
    ['services.other.replicas.min=1', '/services'],
    ['image.digests.hitl=sha256:1', '/image/digests/hitl'],
    ['image.tag=1.2.3@sha256:0123', 'image.tag has a digest; set the tag alone'],
    ['image.tag=feature/a', 'image.tag may contain only letters, digits, "_", "." and "-"'],
    ['image.registry=https://images.example.com', '/image/registry'],
    ['image.registry=images.example.com/', '/image/registry'],
    ['imagePullSecrets[0].name=A b', '/imagePullSecrets/0/name'],
    ['priorityClassName=A b', '/priorityClassName'],
    ['ingress.className=A b', '/ingress/className'],
    ['ingress.tlsSecretName=A b', '/ingress/tlsSecretName'],
    ['networkPolicies.mongodb[0].ipBlock.cidr=10.0.0.1', '/networkPolicies/mongodb/0/ipBlock/cidr'],
    ['networkPolicies.mongodb[0].ipBlock.cidr=10.0.0.300/24', '/networkPolicies/mongodb/0/ipBlock/cidr'],
    ['networkPolicies.nats[0].ipBlock.cidr=fd00::/129', '/networkPolicies/nats/0/ipBlock/cidr'],
    ['networkPolicies.nats[0].ipBlock.except[0]=10.0.33.7', '/networkPolicies/nats/0/ipBlock/except/0'],
    ['networkPolicies.mailServer[0].ipBlock.cdir=10.0.0.0/8', '/networkPolicies/mailServer/0/ipBlock'],
    ['networkPolicies.mailServer[0].ipblock.cidr=10.0.0.0/8', "'ipblock' not allowed"],
    [
      'networkPolicies.backupStore[0].ipBlock.cidr=s3.example/32',
      '/networkPolicies/backupStore/0/ipBlock/cidr',
    ],
    [
      'networkPolicies.nats[0].podSelector.a=b,networkPolicies.nats[0].ipBlock.cidr=10.0.0.0/8',
      '/networkPolicies/nats/0',
    ],
    [
      `${RULE}.to[0].ipBlock.cidr=10.1/16,${RULE}.ports[0].port=80`,
      '/networkPolicies/egress/0/to/0/ipBlock/cidr',
    ],
    [
      `${RULE}.to[0].ipBlock.cidr=10.1.0.0/16,${RULE}.ports[0].port=65536`,
      '/networkPolicies/egress/0/ports/0/port',
    ],
    [`${RULE}.to[0].ipBlock.cidr=10.1.0.0/16,${RULE}.ports[0].prot=TCP`, '/networkPolicies/egress/0/ports/0'],
    ['services.hitl.resources.limit.memory=1Gi', '/services/hitl/resources'],
    ['services.hitl.resources.limits.memory=1 GB', '/services/hitl/resources/limits/memory'],
    ['services.hitl.resources.limits.memory=1K', '/services/hitl/resources/limits/memory'],
    ['services.hitl.resources.limits.cpu=.', '/services/hitl/resources/limits/cpu'],
    ['backup.resources.requests.cpu=many', '/backup/resources/requests/cpu'],
    ['outboundProxy.url=http://proxy:3128', '/outboundProxy/cidr'],
    ['outboundProxy.url=http://proxy:3128/path', '/outboundProxy/url'],
    ['outboundProxy.url=http://proxy:3128,outboundProxy.cidr=proxy/32', '/outboundProxy/cidr'],
    ['outboundProxy.cidr=10.0.0.1/32', 'set outboundProxy.url too'],
    ['outboundProxy.url=http://p:8888,outboundProxy.cidr=10.0.0.1/32', 'set outboundProxy.port to 8888'],
    ['outboundProxy.url=https://p,outboundProxy.cidr=10.0.0.1/32', 'set outboundProxy.port to 443'],
    ['outboundProxy.url=http://[fd00::1],outboundProxy.cidr=fd00::1/128', 'set outboundProxy.port to 80'],
    ['outboundProxy.url=http://u:1@p:3128,outboundProxy.cidr=10.0.0.1/32', 'outboundProxy.url has a login'],
    ['backup.endpoint=http://minio.example:9000', 'set backup.port to 9000'],
    ['backup.port=9000', 'set backup.port to 443'],
    ['backup.endpoint=,backup.port=9000', 'set backup.port to 443'],
    ['backup.endpoint=https://u:1@s3.example.com', 'backup.endpoint has a login'],
    ['backup.schedule=daily', '/backup/schedule'],
    ['backup.keepDays=-1', '/backup/keepDays'],
    ['backup.bucket=', 'backup.bucket or backup.volume.claim is required'],
    ['backup.volume.claim=backups', 'backup.bucket and backup.volume.claim are both set'],
    ['unknown=1', 'unknown'],
  ])('refuses the value %s and names it', async (value, named) => {
    await expect(renderChart('--set', value)).rejects.toThrow(named);
  });

  it('takes peers by addresses and by labels, IPv6, named ports and fractions of resources', async () => {
    const peers = [
      { ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48', '2001:db8::192.0.2.0/120'] } },
      { namespaceSelector: { matchLabels: { name: 'db' } }, podSelector: { matchLabels: { app: 'mongo' } } },
    ];
    const rule = {
      to: peers,
      ports: [
        { protocol: 'TCP', port: 'https' },
        { port: 8000, endPort: 8100 },
      ],
    };
    const manifests = manifestsIn(
      await renderChart(
        '--set-json', `networkPolicies.mongodb=${JSON.stringify(peers)}`,
        '--set-json', `networkPolicies.egress=${JSON.stringify([rule])}`,
        '--set-json', 'services.hitl.resources={"requests":{"cpu":0.5,"memory":"1e9"},"limits":{"memory":"1.5Gi"}}',
        '--set', 'image.registry=localhost:5000/a/b_c,image.tag=v1.2.3-rc.1_x',
      ), // prettier-ignore
    );
    expect(comparable(manifests)['NetworkPolicy/to-mongodb']).toMatchObject({
      spec: { egress: [{ to: peers, ports: [{ port: 27_017 }] }] },
    });
  });

  it.each(['.5', '5.', '+5', '100u', '5n', '1e-3', '1E3', '2k', '64Mi'])(
    'takes the quantity %s, as Kubernetes does',
    async (quantity) => {
      const manifests = manifestsIn(
        await renderChart('--set-string', `services.hitl.resources.limits.cpu=${quantity}`),
      );
      expect(comparable(manifests)['Deployment/hitl']).toMatchObject({
        spec: { template: { spec: { containers: [{ resources: { limits: { cpu: quantity } } }] } } },
      });
    },
  );

  it('leaves out quantities that the values remove', async () => {
    const removed = ['services.hitl', 'backup'].map(
      (of) => `${of}.resources={"limits":{"cpu":null,"memory":null}}`,
    );
    const rendered = comparable(
      manifestsIn(await renderChart(...removed.flatMap((value) => ['--set-json', value]))),
    );
    const [deployment, job] = [rendered['Deployment/hitl'], rendered['CronJob/backup']].map(
      (manifest) => /"limits":(\{.*?\})/.exec(JSON.stringify(manifest))?.[1],
    );
    expect([deployment, job]).toEqual(Array(2).fill('{"ephemeral-storage":"128Mi"}'));
  });

  it('refuses plain HTTP that the network policies would block, and says what to add', async () => {
    await expect(renderChart('--set-string', 'settings.SVC_ALLOW_HTTP=true')).rejects.toThrow(
      'settings.SVC_ALLOW_HTTP is set, but the network policies allow only public addresses, port 443 and ports ' +
        'from 1024; add to networkPolicies.egress an egress rule with the addresses and the ports of http',
    );
  });

  it.each([
    'MONGODB_URL',
    'NATS_URL',
    'SMTP_URL',
    'SVC_ENCRYPTION_KEY',
    'SVC_METRICS_TOKEN',
    'SVC_BOOTSTRAP_PASSWORD',
    'SVC_BOOTSTRAP_API_KEY',
    'SVC_OIDC_CLIENT_SECRET',
    'SVC_SLACK_SIGNING_SECRET',
    'SVC_SLACK_BOT_TOKEN',
    'SVC_BACKUP_S3_ACCESS_KEY_ID',
    'SVC_BACKUP_S3_SECRET_ACCESS_KEY',
  ])('refuses the secret %s among the settings, and says where it belongs', async (name) => {
    const refused = renderChart('--set', `settings.${name}=hunter2`);
    await expect(refused).rejects.toThrow(
      new RegExp(`settings\\.${name} is a secret, and settings are in a ConfigMap; put it into the Secret`),
    );
    await expect(refused).rejects.not.toThrow('hunter2');
  });

  it('knows every setting of the product, and the variables of OpenTelemetry', async () => {
    const schema = JSON.parse(readFileSync(`${root}${CHART}/values.schema.json`, 'utf8')) as {
      properties: { settings: { properties: Record<string, unknown> } };
    };
    const names = Object.keys(settingsSchema.shape).filter((name) => !name.startsWith('OTEL_'));
    expect(Object.keys(schema.properties.settings.properties).toSorted()).toEqual(names.toSorted());
    const telemetry = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.observability:4318',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
      OTEL_EXPORTER_OTLP_CERTIFICATE: '/run/certificates/ca.pem',
    };
    const manifests = manifestsIn(
      await renderChart(
        '--set-json',
        `settings=${JSON.stringify({ ...telemetry, SVC_OIDC_CLIENT_ID: 'a' })}`,
      ),
    );
    expect(comparable(manifests)['ConfigMap/settings']).toMatchObject({ data: telemetry });
  });

  it('lets the pods of a Service listen on another port than its URL has', async () => {
    const manifests = manifestsIn(
      await renderChart(
        '--set', 'backup.endpoint=http://minio.storage.svc:80', '--set', 'backup.port=9000',
        '--set', 'outboundProxy.url=http://proxy.egress.svc.cluster.local', '--set', 'outboundProxy.cidr=10.0.0.0/8',
      ), // prettier-ignore
    );
    expect(comparable(manifests)['NetworkPolicy/to-backup-store']).toMatchObject({
      spec: { egress: [{ ports: [{ port: 9000 }] }] },
    });
  });

  it('gives every service the files of its NATS user and the certificate authorities', async () => {
    for (const { spec } of deploymentsIn(manifestsIn(await renderChart()))) {
      const [{ volumeMounts } = { volumeMounts: [] }] = spec.template.spec.containers;
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/run/nats');
    }
  });

  it('lists in its notes what each Secret contains', async () => {
    const notes = await renderNotes();
    expect(notes).toContain('  forms-api: MONGODB_URL, NATS_URL, SVC_ENCRYPTION_KEY\n');
    expect(notes).toMatch(/\n {2}embed-cdn: MONGODB_URL .+, NATS_URL \(optional: .+\)\n/);
    expect(notes).toContain('slack (signingSecret, botToken)');
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
