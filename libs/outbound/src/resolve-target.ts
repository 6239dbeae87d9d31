import { Failure } from './failure.ts';
import { addressRefusal, literalOf, nameOf, type Refusal, type Target } from './check-url.ts';
import type { Rules } from './policy.ts';
import { isPublicAddress } from './public-address.ts';

interface LookupContext {
  /** Cancels the lookup, which then rejects. */
  signal?: AbortSignal | undefined;
  /** Lookups of one account don't wait for those of another. */
  accountId?: string | undefined;
}

/** Returns all addresses of a host name; rejects if it has none. */
export type Lookup = (hostname: string, context?: LookupContext) => Promise<readonly string[]>;

type Resolution = { addresses: readonly string[] } | { refusal: Refusal };

/**
 * Looks up all addresses of a target, once, and checks them. One forbidden address forbids the
 * target.
 * @throws Failure `dns` if there is no address; the signal's reason if it aborts
 */
export type ResolveTarget = (target: Target, context?: LookupContext) => Promise<Resolution>;

export function createResolveTarget(rules: Rules, lookup: Lookup): ResolveTarget {
  const shared = shareRunning(lookup);
  return async ({ url, refusalUnlessAllowed }, context = {}) => {
    const literal = literalOf(url);
    const addresses = literal === null ? await addressesOf(url.hostname, shared, context) : [literal];
    const refusal = refusalUnlessAllowed ?? addressRefusal(nameOf(url));
    const isAllowed = (ip: string) => rules.isAllowed(ip) || (!refusalUnlessAllowed && isPublicAddress(ip));
    return addresses.every(isAllowed) ? { addresses } : { refusal };
  };
}

async function addressesOf(
  hostname: string,
  lookup: Lookup,
  context: LookupContext,
): Promise<readonly string[]> {
  const addresses = await lookup(hostname, context).catch((cause: unknown) => {
    context.signal?.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('dns', `no address found for ${hostname}: ${reason}`, { cause });
  });
  if (addresses.length === 0) throw new Failure('dns', `${hostname} has no address`);
  return addresses;
}

/**
 * Merges concurrent lookups of one name by one account. The lookup is cancelled when the last
 * caller stops waiting. Accounts don't share lookups: one account's lookup may be queued behind its
 * other lookups.
 */
function shareRunning(lookup: Lookup): Lookup {
  const running = new Map<string, RunningLookup>();

  function start(key: string, hostname: string, accountId: string | undefined): RunningLookup {
    const stopping = new AbortController();
    const started: RunningLookup = {
      stopping,
      waiting: 0,
      addresses: lookup(hostname, { signal: stopping.signal, accountId }).finally(() => forget(key, started)),
    };
    running.set(key, started);
    return started;
  }

  function forget(key: string, ended: RunningLookup): void {
    if (running.get(key) === ended) running.delete(key);
  }

  return async (hostname, { signal, accountId } = {}) => {
    signal?.throwIfAborted();
    const key = `${accountId ?? ''} ${hostname}`;
    const current = running.get(key) ?? start(key, hostname, accountId);
    current.waiting += 1;
    let onAbort = () => {};
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = () => reject(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
    try {
      return await Promise.race([current.addresses, aborted]);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      current.waiting -= 1;
      if (current.waiting === 0) {
        forget(key, current);
        current.stopping.abort(new Error('the lookup was cancelled'));
      }
    }
  };
}

interface RunningLookup {
  addresses: Promise<readonly string[]>;
  stopping: AbortController;
  waiting: number;
}
