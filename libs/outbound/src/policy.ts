import { X509Certificate } from 'node:crypto';
import { isInside, parseAddress, parseRange, type Range } from './ranges.ts';

/** What the operator allows beyond the rules for the public internet. */
export interface Policy {
  /**
   * Address ranges (CIDR) that may be reached although they aren't public, on any port; names such as `localhost`
   * pass when all their addresses are inside.
   */
  allowedTargets: readonly string[];
  /** Whether `http://` may be used too. */
  allowHttp: boolean;
  /** Where this installation is reached, as `https://forms.example`: no webhook may lead back to it. */
  ownOrigin?: string;
  /** Name servers to ask instead of the system's: `address`, `address:port` or `[address]:port`. */
  dnsServers?: readonly string[];
  /** Certificates (PEM) of authorities that are trusted beside the system's. */
  ca?: string;
  /** The http(s) proxy that all connections go through (CONNECT). Without it there is none, whatever the environment says. */
  proxy?: string;
}

/** A policy that can't be followed: `field` says which part of it, the message what to write instead. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';
  readonly code = 'BAD_POLICY';
  constructor(
    readonly field: keyof Policy,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Checks what an operator set; what is absent stays off.
 * @throws PolicyError
 */
export function parsePolicy(settings: Partial<Policy>): Policy {
  const policy = {
    ...settings,
    allowedTargets: settings.allowedTargets ?? [],
    allowHttp: settings.allowHttp ?? false,
  };
  rulesOf(policy);
  certificatesOf(policy);
  proxyOf(policy);
  return policy;
}

/** The part of a policy that URLs and addresses are judged by. */
export interface Rules {
  allowHttp: boolean;
  /** Whether there is any allowed range. */
  hasAllowed: boolean;
  isAllowed(ip: string): boolean;
  isOwnOrigin(url: URL): boolean;
}

export function rulesOf(policy: Policy): Rules {
  const ranges = policy.allowedTargets.map(rangeOf);
  const ownOrigin = policy.ownOrigin === undefined ? undefined : originKey(new URL(policy.ownOrigin));
  return {
    allowHttp: policy.allowHttp,
    hasAllowed: ranges.length > 0,
    isAllowed(ip) {
      const address = parseAddress(ip);
      return address !== null && isInside(address, ranges);
    },
    isOwnOrigin: (url) => originKey(url) === ownOrigin,
  };
}

/**
 * Scheme, host and port in one spelling. `new URL()` has lowered the case, encoded the name and left the default port out; what it
 * leaves is the dot that may end a name, and IPv4 addresses inside IPv6 ones.
 */
function originKey({ protocol, hostname, port }: URL): string {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return `${protocol}//${parseAddress(host)?.toString() ?? host}:${port}`;
}

function rangeOf(cidr: string): Range {
  const range = parseRange(cidr);
  const example = parseAddress(cidr)
    ? `${cidr}/${cidr.includes(':') ? 128 : 32} for that address alone`
    : 'an address and a prefix length, such as 10.0.0.0/8 or fd00::/8';
  if (!range) throw new PolicyError('allowedTargets', `"${cidr}" is not a range: write ${example}`);
  if (range[0].kind() === 'ipv6' && isInside(range[0], [MAPPED])) {
    throw new PolicyError('allowedTargets', `"${cidr}" holds IPv4 addresses: write the range as IPv4`);
  }
  return range;
}

const MAPPED = parseRange('::ffff:0:0/96') as Range;

/** The certificates of `policy.ca`, one PEM text each. */
export function certificatesOf(policy: Policy): string[] {
  if (policy.ca === undefined) return [];
  const certificates = policy.ca.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  if (certificates.length === 0) {
    throw new PolicyError('ca', 'no certificate was found: give PEM text with "-----BEGIN CERTIFICATE-----"');
  }
  certificates.forEach((certificate, index) => {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw new PolicyError('ca', `certificate ${index + 1} can't be read: export it again as PEM`, {
        cause,
      });
    }
  });
  return certificates;
}

export function proxyOf(policy: Policy): URL | null {
  if (policy.proxy === undefined) return null;
  const url = URL.canParse(policy.proxy) ? new URL(policy.proxy) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    // Not repeated in the message: it may hold a password.
    throw new PolicyError('proxy', 'the proxy must be a URL such as http://proxy.example:3128');
  }
  return url;
}
