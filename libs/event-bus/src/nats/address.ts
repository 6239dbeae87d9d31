import type { NodeConnectionOptions } from '@nats-io/transport-node';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** The `host:port` of each server in `NATS_URL`, without credentials: for messages and the log. */
export function hostsOf(url: string): string {
  return serversOf(url)
    .map(({ host }) => host)
    .join(',');
}

/**
 * The connection options of a URL, or of a comma-separated list of URLs. The client library takes
 * credentials separately: in the address, it would read the first digits of a password as the port.
 * It tries the servers in random order, all with the same credentials.
 */
export function addressOptions(url: string): NodeConnectionOptions {
  const servers = serversOf(url);
  const { username = '', password = '' } = servers.find((server) => server.username !== '') ?? {};
  const user = decodeURIComponent(username);
  const credentials = password ? { user, pass: decodeURIComponent(password) } : { token: user };
  return {
    servers: servers.map(({ host }) => host),
    ...(user && credentials),
  };
}

/**
 * The TLS options of a URL; none if it requires no TLS and there is no CA file.
 *
 * @param caFile path of the certificates (PEM) of the authorities that the connection trusts.
 * Default: those of Node.js
 */
export function tlsOptions(url: string, caFile?: string): NodeConnectionOptions {
  const servers = serversOf(url);
  if (!caFile && !servers.some(({ protocol }) => protocol === 'tls:')) return {};
  return { tls: { ...(caFile && { caFile }), ...addressCheck(servers.map(({ hostname }) => hostname)) } };
}

/**
 * The client library checks the certificate of a server whose address is an IP address as that of
 * `localhost`. With such addresses, a certificate must fit one of the list instead.
 */
function addressCheck(hosts: readonly string[]): {
  checkServerIdentity?: (host: string, certificate: PeerCertificate) => Error | undefined;
} {
  const names = hosts.map((host) => host.replace(/^\[|\]$/g, ''));
  if (!names.some(isIP)) return {};
  return {
    checkServerIdentity(_, certificate) {
      const problems = names.map((name) => checkServerIdentity(name, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

function serversOf(url: string): URL[] {
  return url.split(',').map((entry) => new URL(entry.trim()));
}
