import ipaddr from 'ipaddr.js';

/**
 * Returns the network by which a limit counts a client: an IPv4 address itself, and the /64 of an
 * IPv6 address, because one subscriber has a whole /64 and could use a new address for each
 * request. An IPv4-mapped IPv6 address counts as IPv4.
 *
 * @param ip the value of `ctx.ip`. Text that isn't an address is returned unchanged.
 */
export const clientNetwork = (ip: string): string => networkOf(ip, 64);

/**
 * Returns the network of a whole site: like {@link clientNetwork}, but the /48 of an IPv6 address,
 * because one site has up to 65,536 networks.
 */
export const clientSite = (ip: string): string => networkOf(ip, 48);

function networkOf(ip: string, prefix: number): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === 'ipv4') return address.toString();
  const network = ipaddr.IPv6.networkAddressFromCIDR(`${address.toNormalizedString()}/${prefix}`);
  return `${network.toString()}/${prefix}`;
}
