import type { Settings } from '@svcforms/runtime';
import ipaddr from 'ipaddr.js';

export type LoggedAddress = Settings['SVC_LOG_CLIENT_IP'];

const KEPT_BITS = { ipv4: 24, ipv6: 48 } as const;

/**
 * The client's address as the request log has it. Truncated, the host part is zero: the /24 of an IPv4 address, the /48 of an
 * IPv6 one. `undefined` where it isn't logged, or is no address.
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
