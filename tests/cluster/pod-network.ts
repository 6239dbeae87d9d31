import { atEnd } from '@svcforms/test-kit';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './start-cluster.ts';

/** Where the container runtime keeps the network namespaces of pods. */
const NAMESPACES = '/var/run/netns';

/** Runs a program in a network namespace. */
const runIn = (namespace: string, ...command: string[]) =>
  run('nsenter', [`--net=${join(NAMESPACES, namespace)}`, ...command]);

/** @throws Error if no pod on this machine has the address */
async function namespaceOf(address: string): Promise<string> {
  for (const namespace of readdirSync(NAMESPACES)) {
    // A pod may end meanwhile.
    const addresses = await runIn(namespace, 'ip', '-4', '-o', 'address').catch(() => '');
    if (addresses.includes(` ${address}/`)) return namespace;
  }
  throw new Error(`no network namespace in ${NAMESPACES} has the address ${address}`);
}

/**
 * Drops every packet between these pods and a TCP port of other hosts, without an error to either
 * side, as a failed network does. A network policy would need a cluster that enforces policies;
 * this needs root on the machine of the pods. Returns the function that undoes it; it runs at the
 * latest after the test file.
 *
 * @param addresses the addresses of the pods
 */
export async function cutOff(addresses: readonly string[], port: number): Promise<() => Promise<void>> {
  const namespaces = await Promise.all(addresses.map(namespaceOf));
  const rules = [
    ['OUTPUT', '-p', 'tcp', '--dport', String(port), '-j', 'DROP'],
    ['INPUT', '-p', 'tcp', '--sport', String(port), '-j', 'DROP'],
  ];
  let isCut = true;
  async function mend(): Promise<void> {
    if (!isCut) return;
    isCut = false;
    unregister();
    for (const namespace of namespaces)
      for (const rule of rules) await runIn(namespace, 'iptables', '-w', '-D', ...rule);
  }
  const unregister = atEnd(() => mend().catch(() => {}));
  for (const namespace of namespaces)
    for (const rule of rules) await runIn(namespace, 'iptables', '-w', '-I', ...rule);
  return mend;
}
