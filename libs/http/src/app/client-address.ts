/** An IPv4 address or an IPv6 address in brackets, and a port. */
const ADDRESS_AND_PORT = /^(?:(?<v4>\d+(?:\.\d+){3})|\[(?<v6>[^\]]+)\])(?::\d+)?$/;

/**
 * Returns the address of an entry of `X-Forwarded-For` without its port, which some proxies add
 * (Azure Application Gateway). With it, each connection of a client would count as another client.
 *
 * @param entry text that isn't an address with a port is returned unchanged
 */
export function clientAddress(entry: string): string {
  const { v4, v6 } = ADDRESS_AND_PORT.exec(entry)?.groups ?? {};
  return v4 ?? v6 ?? entry;
}
