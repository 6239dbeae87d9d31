import {
  atEnd,
  describeUnless,
  describeWith,
  freePort,
  newApiKey,
  root,
  runToEnd,
  sharedMongo,
  startMailServer,
  startNats,
  startProcess,
  testCertificate,
  testSettings,
  type ProcessName,
} from '@svcforms/test-kit';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { taskScenarios } from '../e2e/scenarios/tasks.ts';
import { walkScenarios } from '../e2e/scenarios/walk.ts';
import { productOf, SCENARIO_SETTINGS, type Product } from '../e2e/stack.ts';
import { startRouteEdge, type HttpRoute } from './edge-from-routes.ts';
import { lacksKubectl, manifestsIn, renderOverlay, type Manifest } from './programs.ts';
import { componentOverlay } from './component-overlay.ts';

const SERVICES = ['forms-api', 'inbound-gateway', 'hitl', 'embed-cdn', 'webhook-dispatcher'] as const;
const routesIn = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'HTTPRoute') as unknown as HttpRoute[];
const ROUTES = routesIn(manifestsIn(readFileSync(`${root}k8s/components/gateway-api/routes.yaml`, 'utf8')));

describeUnless(lacksKubectl, 'components/gateway-api in the production overlay', () => {
  let manifests: Manifest[];
  beforeAll(async () => {
    manifests = manifestsIn(await renderOverlay(componentOverlay('gateway-api')));
  });

  it('routes every path to the service that the Ingress objects name', () => {
    interface Ingress {
      spec: { rules: { http: { paths: { path: string; pathType: string; backend: Backend }[] } }[] };
    }
    interface Backend {
      service: { name: string };
    }
    const ingresses = manifests.filter(({ kind }) => kind === 'Ingress') as unknown as Ingress[];
    const ofIngress = ingresses.flatMap(({ spec }) =>
      spec.rules.flatMap(({ http }) =>
        http.paths.map(({ path, pathType, backend }) =>
          [pathType.replace(/^Prefix$/, 'PathPrefix'), path, backend.service.name].join(' '),
        ),
      ),
    );
    const ofRoutes = routesIn(manifests).flatMap(({ spec }) =>
      spec.rules.flatMap(({ matches = [], backendRefs = [] }) =>
        matches.flatMap(({ path }) => backendRefs.map(({ name }) => [path.type, path.value, name].join(' '))),
      ),
    );
    expect(ofIngress.length).toBeGreaterThan(4);
    expect(ofRoutes.toSorted()).toEqual(ofIngress.toSorted());
  });

  it('names listeners, ports and hosts that exist', () => {
    interface Gateway {
      metadata: { name: string };
      spec: { listeners: { name: string; hostname: string }[] };
    }
    interface Service {
      metadata: { name: string };
      spec: { ports: { port: number }[] };
    }
    const [gateway] = manifests.filter(({ kind }) => kind === 'Gateway') as unknown as Gateway[];
    const services = manifests.filter(({ kind }) => kind === 'Service') as unknown as Service[];
    const ports = services.flatMap(({ metadata, spec }) =>
      spec.ports.map(({ port }) => `${metadata.name}:${port}`),
    );
    for (const { spec } of routesIn(manifests)) {
      for (const { name, sectionName } of spec.parentRefs) {
        const listener = gateway?.spec.listeners.find((one) => one.name === sectionName);
        expect({ name, hostnames: spec.hostnames }).toEqual({
          name: gateway?.metadata.name,
          hostnames: [listener?.hostname],
        });
      }
      for (const { backendRefs = [] } of spec.rules)
        for (const { name, port } of backendRefs) expect(ports).toContain(`${name}:${port}`);
    }
  });

  it('admits both controllers to the pods of cert-manager that answer ACME challenges', () => {
    interface Policy {
      spec: {
        podSelector: { matchLabels?: Record<string, string> };
        ingress: { from: { namespaceSelector: { matchLabels: object } }[]; ports: object[] }[];
      };
    }
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as Policy[];
    const ofChallenges = policies.filter(
      ({ spec }) => spec.podSelector.matchLabels?.['acme.cert-manager.io/http01-solver'] === 'true',
    );
    const admitted = (namespace: string) => ({
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } }],
      ports: [{ protocol: 'TCP', port: 8089 }],
    });
    expect(ofChallenges.flatMap(({ spec }) => spec.ingress)).toEqual([
      admitted('traefik'),
      admitted('ingress-nginx'),
    ]);
  });
});

describeWith(['nats', 'mongo'], 'the product behind the HTTPRoutes of components/gateway-api', () => {
  let product: Product;

  beforeAll(async () => {
    const apiKey = newApiKey();
    const port = await freePort();
    const [{ key, cert, caFile }, mailServer, nats, mongo] = await Promise.all([
      testCertificate(['127.0.0.1']),
      startMailServer(),
      startNats(),
      sharedMongo(),
    ]);
    atEnd(() => nats.remove());
    const env = {
      ...testSettings({ apiKey, caFile }),
      ...SCENARIO_SETTINGS,
      NATS_URL: nats.url,
      MONGODB_URL: `${mongo}/test_${randomUUID().slice(0, 8)}`,
      SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      SVC_BASE_URL: `http://127.0.0.1:${port}`,
      SVC_TRUST_PROXY: '1',
      SMTP_URL: mailServer.url,
    };
    const urls = new Map<string, string>();
    for (const name of SERVICES satisfies readonly ProcessName[])
      urls.set(name, (await startProcess(name, { env })).url);
    const baseUrl = await startRouteEdge(
      ROUTES,
      ({ name }) => (urls.get(name) ?? '').replace('http://', ''),
      port,
    );
    product = productOf({
      baseUrl,
      apiKey,
      webhookEndpointOptions: { tls: { key, cert }, host: '127.0.0.1', publicHost: '127.0.0.1' },
      mailServer,
      async admin(...args) {
        const { code, stdout, stderr } = await runToEnd('admin', { args, env });
        if (code !== 0) throw new Error(`admin ${args.join(' ')} exited with ${code}: ${stderr}`);
        return stdout;
      },
      stop: async () => {},
    });
  }, 120_000);

  walkScenarios(() => product);
  taskScenarios(() => product);

  it.each(['/livez', '/readyz', '/metrics'])('does not expose %s', async (path) => {
    expect((await fetch(product.baseUrl + path)).status).toBe(404);
  });

  it('serves the embed, and nothing of a path that only begins like a route', async () => {
    expect((await fetch(`${product.baseUrl}/embed.js`)).headers.get('content-type')).toContain('javascript');
    expect((await fetch(`${product.baseUrl}/embed.jsx`)).status).toBe(404);
    expect((await fetch(`${product.baseUrl}/api/inboundly`)).status).toBe(404);
  });

  it('serves the public keys of webhooks', async () => {
    const response = await fetch(`${product.baseUrl}/.well-known/webhooks-keys.json`);
    expect(await response.json()).toEqual({ keys: expect.any(Array) });
  });
});
