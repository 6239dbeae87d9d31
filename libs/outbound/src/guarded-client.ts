import { ConnectionPool } from './connection-pool.ts';
import { createDial } from './dial.ts';
import { exchange, type Exchange, type PostRequest } from './exchange.ts';
import { ClientClosedError } from './failure.ts';
import { judgeByRules } from './judge-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, systemLookup, type Lookup } from './resolve-target.ts';

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
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? systemLookup);
  const pool = new ConnectionPool(createDial(policy, resolveTarget));
  let isClosed = false;

  return {
    async post(request) {
      if (isClosed) throw new ClientClosedError();
      request.signal?.throwIfAborted();
      const verdict = judgeByRules(request.url, rules);
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
