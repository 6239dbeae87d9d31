import { ConnectionPool } from './connection-pool.ts';
import { createDial } from './dial.ts';
import { exchange, type Exchange, type PostRequest } from './exchange.ts';
import { ClientClosedError } from './failure.ts';
import { judgeByRules, type UrlVerdict } from './judge-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, type Lookup } from './resolve-target.ts';
import { lookupOf } from './system-lookup.ts';

const MAX_ACCEPTED = 1_000;

export interface GuardedClient {
  /**
   * POSTs to a URL that a user gave. Redirects aren't followed and compressed answers aren't unpacked.
   * What the network or the listener does is in the result; the promise rejects only with the reason of
   * `request.signal`, when the client is closed ({@link ClientClosedError}), or for headers that can't be sent.
   */
  post(request: PostRequest): Promise<Exchange>;
  /** Closes all connections. An exchange that still goes on rejects: it says nothing about its listener. */
  close(): void;
}

/**
 * The HTTP client for URLs that users gave: each is judged by the policy, its addresses when they are dialled.
 * @throws PolicyError for a policy that `parsePolicy` would refuse
 */
export function createGuardedClient(policy: Policy, deps: { lookup?: Lookup } = {}): GuardedClient {
  const rules = rulesOf(policy);
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? lookupOf(policy));
  const pool = new ConnectionPool(createDial(policy, resolveTarget));
  let isClosed = false;
  /** Of URLs that may be called: what they say is judged by rules that never change. Their addresses are judged at each dial. */
  const accepted = new Map<string, UrlVerdict>();

  function judge(url: string): UrlVerdict {
    const known = accepted.get(url);
    if (known) return known;
    const verdict = judgeByRules(url, rules);
    if (accepted.size >= MAX_ACCEPTED) accepted.clear();
    if (verdict.ok) accepted.set(url, verdict);
    return verdict;
  }

  return {
    async post(request) {
      if (isClosed) throw new ClientClosedError();
      request.signal?.throwIfAborted();
      const verdict = judge(request.url);
      if (!verdict.ok) return { error: 'blocked_target', message: verdict.refusal.message, durationMs: 0 };
      const { target } = verdict;
      return exchange({ pool, target, request });
    },
    close() {
      isClosed = true;
      pool.close(new ClientClosedError());
    },
  };
}
