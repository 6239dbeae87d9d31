import { Failure } from './failure.ts';
import { addressRefusal, literalOf, nameOf, type Refusal, type Target } from './judge-url.ts';
import type { Rules } from './policy.ts';
import { isPublicAddress } from './public-address.ts';

export interface LookupContext {
  /** Ends the look-up; it rejects then. */
  signal?: AbortSignal | undefined;
  /** Whose look-up it is: look-ups of one account don't wait for those of another. */
  accountId?: string | undefined;
}

/** All addresses of a host name; rejects when it has none. */
export type Lookup = (hostname: string, context?: LookupContext) => Promise<readonly string[]>;

type Resolution = { addresses: readonly string[] } | { refusal: Refusal };

/**
 * Finds all addresses of a target, once, and judges them: one that is forbidden forbids them all.
 * @throws Failure `dns` when there is no address; the signal's reason when that comes first
 */
export type ResolveTarget = (target: Target, context?: LookupContext) => Promise<Resolution>;

export function createResolveTarget(rules: Rules, lookup: Lookup): ResolveTarget {
  const shared = shareRunning(lookup);
  return async ({ url, unlessAllowed }, context = {}) => {
    const literal = literalOf(url);
    const addresses = literal === null ? await addressesOf(url.hostname, shared, context) : [literal];
    const refusal = unlessAllowed ?? addressRefusal(nameOf(url));
    const isFine = (ip: string) => rules.isAllowed(ip) || (!unlessAllowed && isPublicAddress(ip));
    return addresses.every(isFine) ? { addresses } : { refusal };
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
    throw new Failure('dns', `no address was found for ${hostname}: ${reason}`, { cause });
  });
  if (addresses.length === 0) throw new Failure('dns', `${hostname} has no address`);
  return addresses;
}

/**
 * Look-ups of one name for one account that run at the same time become one, which ends when nobody waits for it any more. Not for
 * several accounts: one that waits for a slot of its own must not keep another's waiting.
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
        current.stopping.abort(new Error('nobody waits for this look-up any more'));
      }
    }
  };
}

interface RunningLookup {
  addresses: Promise<readonly string[]>;
  stopping: AbortController;
  waiting: number;
}
