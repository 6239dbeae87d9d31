import type { NodeConnectionOptions } from '@nats-io/transport-node';

/**
 * The connection options of a URL. The client library takes credentials separately: in the address, it would read the first
 * digits of a password as the port.
 */
export function addressOptions(url: string): NodeConnectionOptions {
  const { protocol, host, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  const credentials = password ? { user, pass: decodeURIComponent(password) } : { token: user };
  return { servers: host, ...(user && credentials), ...(protocol === 'tls:' && { tls: {} }) };
}
