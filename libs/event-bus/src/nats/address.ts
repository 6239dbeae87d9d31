import type { NodeConnectionOptions } from '@nats-io/transport-node';

/**
 * Where and as whom to connect. The client library wants credentials apart from the address: left in it, the first digits
 * of a password would be taken for the port.
 */
export function addressOptions(url: string): NodeConnectionOptions {
  const { protocol, host, username, password } = new URL(url);
  const user = decodeURIComponent(username);
  const credentials = password ? { user, pass: decodeURIComponent(password) } : { token: user };
  return { servers: host, ...(user && credentials), ...(protocol === 'tls:' && { tls: {} }) };
}
