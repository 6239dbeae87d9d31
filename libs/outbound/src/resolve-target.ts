import { promises as dns } from 'node:dns';
import { Failure } from './failure.ts';
import { addressRefusal, literalOf, nameOf, type Refusal, type Target } from './judge-url.ts';
import type { Rules } from './policy.ts';
import { isPublicAddress } from './public-address.ts';

/** All addresses of a host name; rejects when it has none. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/** As this machine does it for everybody: its hosts file, search domains and name servers. */
export const systemLookup: Lookup = async (hostname) => {
  const found = await dns.lookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

type Resolution = { addresses: readonly string[] } | { refusal: Refusal };

/**
 * Finds all addresses of a target, once, and judges them: one that is forbidden forbids them all.
 * @throws Failure `dns` when there is no address
 */
export type ResolveTarget = (target: Target) => Promise<Resolution>;

export function createResolveTarget(rules: Rules, lookup: Lookup): ResolveTarget {
  const shared = shareRunning(lookup);
  return async ({ url, unlessAllowed }) => {
    const literal = literalOf(url);
    const addresses = literal === null ? await addressesOf(url.hostname, shared) : [literal];
    const refusal = unlessAllowed ?? addressRefusal(nameOf(url));
    const isFine = (ip: string) => rules.isAllowed(ip) || (!unlessAllowed && isPublicAddress(ip));
    return addresses.every(isFine) ? { addresses } : { refusal };
  };
}

async function addressesOf(hostname: string, lookup: Lookup): Promise<readonly string[]> {
  const addresses = await lookup(hostname).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('dns', `no address was found for ${hostname}: ${reason}`, { cause });
  });
  if (addresses.length === 0) throw new Failure('dns', `${hostname} has no address`);
  return addresses;
}

/**
 * Look-ups of one name that run at the same time become one: the system's occupy one of very few threads each, and a
 * name server that doesn't answer must not take them all.
 */
function shareRunning(lookup: Lookup): Lookup {
  const running = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const current = running.get(hostname);
    if (current) return current;
    const started = lookup(hostname).finally(() => running.delete(hostname));
    running.set(hostname, started);
    return started;
  };
}
