import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Address = ReturnType<typeof ipaddr.parse>;
export type Range = [Address, bits: number];

/**
 * Parses an IP address in standard notation, without a zone. Returns an IPv4 address inside an IPv6
 * one (`::ffff:0:0/96`) as the IPv4 address that would be dialed.
 */
export function parseAddress(text: string): Address | null {
  // ipaddr.js also accepts `10.1`, `0x7f.1` and zones.
  if (isIP(text) === 0 || text.includes('%')) return null;
  return ipaddr.process(text);
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
