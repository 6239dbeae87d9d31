import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ReturnType<typeof ipaddr.parse>;
export type Range = [Address, bits: number];

/** IPv6 addresses whose last 32 bits are the IPv4 address that they reach. */
export const OF_IPV4: readonly Range[] = [
  // Dialed as IPv4 (RFC 4291).
  ipaddr.parseCIDR('::ffff:0:0/96'),
  // Translated by NAT64 (RFC 6052). DNS64 adds such addresses to names that have only IPv4 ones.
  ipaddr.parseCIDR('64:ff9b::/96'),
];

/**
 * Parses an IP address in standard notation, without a zone. Returns an IPv4 address inside an IPv6
 * one (`::ffff:10.0.0.1`, `64:ff9b::10.0.0.1`) as the IPv4 address that would be reached.
 */
export function parseAddress(text: string): Address | null {
  // ipaddr.js also accepts `10.1`, `0x7f.1` and zones.
  if (isIP(text) === 0 || text.includes('%')) return null;
  const address = ipaddr.parse(text);
  return isInside(address, OF_IPV4) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : address;
}

/** Parses a range such as `10.0.0.0/8` or `fd00::/8`. */
export function parseRange(cidr: string): Range | null {
  const [base = '', bits = '', ...rest] = cidr.split('/');
  if (isIP(base) === 0 || base.includes('%') || !/^\d{1,3}$/.test(bits) || rest.length > 0) return null;
  const address = ipaddr.parse(base);
  return Number(bits) <= (address.kind() === 'ipv4' ? 32 : 128) ? [address, Number(bits)] : null;
}

export function isInside(address: Address, ranges: readonly Range[]): boolean {
  return ranges.some(([base, bits]) => address.kind() === base.kind() && address.match(base, bits));
}
