import { createClient, startProcess, type Client } from '@svcforms/test-kit';
import { openLink, type UnsteadyLink } from '../chaos/unsteady-link.ts';

/**
 * One of several processes of the product on the same backends, with a connection to NATS of its
 * own.
 */
export interface Replica {
  url: string;
  client: Client;
  visitor: Client;
  toNats: UnsteadyLink;
}

/** Starts the standalone with these settings, which name its backends. */
export async function startReplica(
  settings: Readonly<Record<string, string>>,
  apiKey: string,
): Promise<Replica> {
  const toNats = await openLink(hostAndPortOf(settings['NATS_URL'] ?? ''));
  const env = { ...settings, NATS_URL: `nats://127.0.0.1:${toNats.port}` };
  const { url } = await startProcess('standalone', { env });
  return {
    url,
    client: createClient({ baseUrl: url, token: apiKey }),
    visitor: createClient({ baseUrl: url }),
    toNats,
  };
}

export function hostAndPortOf(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(address);
  return { host: hostname, port: Number(port) };
}
