import { parseUrl } from '@svcforms/primitives';
import { X509Certificate } from 'node:crypto';
import { isInside, OF_IPV4, parseAddress, parseRange, type Range } from './ranges.ts';

/** The operator's exceptions to the rules for the public internet. */
export interface Policy {
  /**
   * Address ranges (CIDR) that are allowed although they aren't public, on any port. Names such as
   * `localhost` are allowed if all their addresses are in these ranges.
   */
  allowedTargets: readonly string[];
  /** Whether `http://` is allowed. */
  allowHttp: boolean;
  /**
   * The origin of this installation, such as `https://forms.example`; webhooks to it are refused.
   */
  ownOrigin?: string;
  /** Name servers to use instead of the system's: `address`, `address:port` or `[address]:port`. */
  dnsServers?: readonly string[];
  /** Additional trusted certificate authorities (PEM). */
  ca?: string;
  /**
   * The HTTP(S) proxy for all connections (CONNECT). Proxy variables of the environment are
   * ignored.
   */
  proxy?: string;
}

/**
 * An invalid policy. `field` names the invalid part, and the message says what to write instead.
 */
class PolicyError extends Error {
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
 * Validates the operator's settings. Absent settings allow nothing.
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

/** The parts of a policy against which URLs and addresses are checked. */
export interface Rules {
  allowHttp: boolean;
  /** Whether the policy has allowed ranges. */
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
 * Returns scheme, host and port in one spelling. `new URL()` normalizes case, encoding and default
 * ports, but not a trailing dot and IPv4 addresses inside IPv6 ones.
 */
function originKey({ protocol, hostname, port }: URL): string {
  const host = hostname.replace(/^\[|\]$|\.$/g, '');
  return `${protocol}//${parseAddress(host)?.toString() ?? host}:${port}`;
}

function rangeOf(cidr: string): Range {
  const range = parseRange(cidr);
  const example = parseAddress(cidr)
    ? `${cidr}/${cidr.includes(':') ? 128 : 32} for this address only`
    : 'an address and a prefix length, such as 10.0.0.0/8 or fd00::/8';
  if (!range) throw new PolicyError('allowedTargets', `"${cidr}" is not a range: write ${example}`);
  if (range[0].kind() === 'ipv6' && isInside(range[0], OF_IPV4)) {
    throw new PolicyError('allowedTargets', `"${cidr}" contains IPv4 addresses: write the range as IPv4`);
  }
  return range;
}

/** Returns the certificates of `policy.ca`, one PEM text each. */
export function certificatesOf(policy: Policy): string[] {
  if (policy.ca === undefined) return [];
  const certificates = policy.ca.match(/-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs) ?? [];
  if (certificates.length === 0) {
    throw new PolicyError('ca', 'no certificate found: use PEM text with "-----BEGIN CERTIFICATE-----"');
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
  const url = parseUrl(policy.proxy);
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    // The message doesn't include the URL, which may contain a password.
    throw new PolicyError('proxy', 'the proxy must be a URL such as http://proxy.example:3128');
  }
  return url;
}
