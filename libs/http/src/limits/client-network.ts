import ipaddr from 'ipaddr.js';

/**
 * The network that a limit counts a client by: an IPv4 address itself, and the /64 of an IPv6 address, because one subscriber
 * holds a whole /64 and could use a new address for each request. An IPv4 address inside an IPv6 one counts as IPv4.
 *
 * @param ip As `ctx.ip` gives it. Text that is no address counts as it is.
 */
export function clientNetwork(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/64`);
  return `${network.toString()}/64`;
}
