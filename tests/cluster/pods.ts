import { poll } from '@svcforms/test-kit';
import { getJson, type Listed } from './kubectl.ts';
import { NAMESPACE, SERVICES } from './start-cluster.ts';

export type ServiceName = (typeof SERVICES)[number];

interface Pod {
  metadata: { name: string; deletionTimestamp?: string };
  status: { podIP?: string; conditions?: { type: string; status: string }[] };
}

async function listPods(services: readonly ServiceName[]): Promise<Pod[]> {
  const label = `app.kubernetes.io/name in (${services.join()})`;
  return (await getJson<Listed<Pod>>('pods', '-n', NAMESPACE, '-l', label)).items;
}

/** The names of a service's pods. */
export async function podsOf(service: ServiceName): Promise<string[]> {
  return (await listPods([service])).map(({ metadata }) => metadata.name);
}

/** The pods of a service with their addresses, in the order of their names. */
export async function addressesOf(service: ServiceName): Promise<{ name: string; address: string }[]> {
  const pods = await listPods([service]);
  return pods.map(({ metadata: { name }, status: { podIP: address = '' } }) => ({ name, address }));
}

/** Returns whether none of these pods exists anymore. */
export async function areGone(names: readonly string[]): Promise<boolean> {
  const pods = await listPods(SERVICES);
  return pods.every(({ metadata }) => !names.includes(metadata.name));
}

/** Returns whether each of the services has two ready pods, none of them in `gone`. */
export async function areReplaced(
  gone: readonly string[],
  services: readonly ServiceName[] = SERVICES,
): Promise<boolean> {
  const ready = (await listPods(services)).filter(
    ({ metadata, status }) =>
      !gone.includes(metadata.name) &&
      metadata.deletionTimestamp === undefined &&
      status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
  );
  return ready.length === 2 * services.length;
}

/**
 * Reads metrics as Prometheus does: directly from the pod, because requests through a proxy get
 * 404.
 */
export async function metricsOf(service: ServiceName): Promise<string> {
  const { spec } = await getJson<{ spec: { clusterIP: string } }>('service', service, '-n', NAMESPACE);
  // Until its probe has succeeded again, a pod of the dispatcher isn't behind its Service.
  return poll(() => metricsAt(spec.clusterIP).catch(() => null), { what: `the metrics of ${service}` });
}

/** Reads the metrics at the address of a pod or a Service. */
export async function metricsAt(address: string): Promise<string> {
  return (await fetch(`http://${address}:8080/metrics`)).text();
}

/** The samples of a metric with one label, by the value of that label. */
export function samplesOf(metric: string, metrics: string): Record<string, number> {
  const samples = metrics.matchAll(new RegExp(`^${metric}\\{\\w+="([^"]*)"\\} (\\S+)$`, 'gm'));
  return Object.fromEntries([...samples].map(([, label = '', value]) => [label, Number(value)]));
}
