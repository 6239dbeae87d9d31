import { poll } from '@svcforms/test-kit';
import { join } from 'node:path';
import { startRouteEdge, type HttpRoute } from '../manifests/edge-from-routes.ts';
import { getJson, kubectl, type Listed } from './kubectl.ts';
import { NAMESPACE, run } from './start-cluster.ts';

/** The resources of the Gateway API, from its Go module. */
const MODULE = 'sigs.k8s.io/gateway-api@v1.4.1';

interface Definition {
  status?: { conditions?: { type: string; status: string }[] | null };
}

interface Service {
  metadata: { name: string };
  spec: { clusterIP: string };
}

/**
 * Installs the resource definitions of the standard channel. @throws Error if Go can't get the
 * module
 */
export async function installGatewayApi(): Promise<void> {
  const { Dir: folder } = JSON.parse(await run('go', ['mod', 'download', '-json', MODULE])) as {
    Dir: string;
  };
  await kubectl(['apply', '--server-side', '-f', join(folder, 'config/crd/standard')]);
  // `kubectl wait` fails as long as a definition has no conditions at all.
  await poll(
    async () => {
      const { status } = await getJson<Definition>('crd', 'httproutes.gateway.networking.k8s.io');
      return status?.conditions?.some(
        (condition) => condition.type === 'Established' && condition.status === 'True',
      );
    },
    { what: 'the definition of HTTPRoute', timeoutMs: 60_000, everyMs: 500 },
  );
}

/**
 * Creates the routes of components/gateway-api, and starts an edge that implements them as the API
 * server returns them. Returns its origin.
 */
export async function startGateway(): Promise<string> {
  await kubectl(['apply', '-f', 'k8s/components/gateway-api/routes.yaml']);
  const routes = await getJson<Listed<HttpRoute>>('httproutes', '-n', NAMESPACE);
  const services = await getJson<Listed<Service>>('service', '-n', NAMESPACE);
  return startRouteEdge(routes.items, ({ name, port }) => {
    const service = services.items.find(({ metadata }) => metadata.name === name);
    if (!service) throw new Error(`an HTTPRoute names ${name}, which does not exist`);
    return `${service.spec.clusterIP}:${port}`;
  });
}
