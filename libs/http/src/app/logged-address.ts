import type { Settings } from '@svcforms/runtime';
import ipaddr from 'ipaddr.js';

export type LoggedAddress = Settings['SVC_LOG_CLIENT_IP'];

const KEPT_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * Returns the client's address for the request log. A truncated address has a zero host part: it
 * names the /24 of an IPv4 address or the /48 of an IPv6 address. `undefined` when addresses aren't
 * logged, or `ip` isn't one.
 */
export function loggedAddress(ip: string, mode: LoggedAddress): string | undefined {
  if (mode === 'off' || !ipaddr.isValid(ip)) return undefined;
  const address = ipaddr.process(ip);
  if (mode === 'full') return address.toString();
  const cidr = `${address.toNormalizedString()}/${KEPT_BITS[address.kind()]}`;
  const network =
    address.kind() === 'ipv4'
      ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
      : ipaddr.IPv6.networkAddressFromCIDR(cidr);
  return network.toString();
}
