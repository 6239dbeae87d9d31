import ipaddr from 'ipaddr.js';
import { isInside, parseAddress } from './ranges.ts';

/**
 * IPv4 ranges that aren't reachable on the internet: IANA's special-purpose registry and additions
 * of clouds.
 */
const NOT_PUBLIC_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // The host of a virtual machine on Azure.
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));

/** The only IPv6 range that is routed on the internet. */
const GLOBAL_UNICAST_IPV6 = ipaddr.parseCIDR('2000::/3');
/** Parts of it that aren't routed or lead elsewhere: 6to4, Teredo, AS112, documentation. */
const NOT_PUBLIC_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map(
  (range) => ipaddr.parseCIDR(range),
);

/**
 * Whether an address is reachable from the internet. Returns false for text that isn't an IP
 * address. An IPv4 address inside an IPv6 one (`::ffff:10.0.0.1`, `64:ff9b::10.0.0.1`) counts as
 * IPv4.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (!address) return false;
  if (address.kind() === 'ipv4') return !isInside(address, NOT_PUBLIC_IPV4);
  return isInside(address, [GLOBAL_UNICAST_IPV6]) && !isInside(address, NOT_PUBLIC_IPV6);
}
