import { setBounded } from '@svcforms/primitives';
import { ConnectionPool } from './connection-pool.ts';
import { createDial } from './dial.ts';
import { sendRequest, type GetRequest, type PostRequest, type PostResult } from './send-request.ts';
import { ClientClosedError } from './failure.ts';
import { checkUrlByRules, type UrlCheck } from './check-url.ts';
import { rulesOf, type Policy } from './policy.ts';
import { createResolveTarget, type Lookup } from './resolve-target.ts';
import { lookupOf } from './system-lookup.ts';

const MAX_CACHED_URLS = 1_000;

export interface GuardedClient {
  /**
   * Sends a POST request to a URL from a user. Redirects aren't followed and compressed responses
   * aren't decompressed. Network errors are in the result. The promise rejects only with the reason
   * of `request.signal`, when the client is closed ({@link ClientClosedError}), or for headers that
   * can't be sent.
   */
  post(request: PostRequest): Promise<PostResult>;
  /** Sends a GET request in the same way. */
  get(request: GetRequest): Promise<PostResult>;
  /** Closes all connections. Current requests reject. */
  close(): void;
}

/**
 * The HTTP client for URLs from users. It checks each URL against the policy, and its addresses at
 * each connection.
 * @throws PolicyError for a policy that `parsePolicy` rejects
 */
export function createGuardedClient(policy: Policy, deps: { lookup?: Lookup } = {}): GuardedClient {
  const rules = rulesOf(policy);
  const resolveTarget = createResolveTarget(rules, deps.lookup ?? lookupOf(policy));
  const pool = new ConnectionPool(createDial(policy, resolveTarget));
  let isClosed = false;
  /**
   * The rules for URLs never change, so checks are cached. Addresses are checked at each
   * connection.
   */
  const accepted = new Map<string, UrlCheck>();

  function check(url: string): UrlCheck {
    const cached = accepted.get(url);
    if (cached) return cached;
    const checked = checkUrlByRules(url, rules);
    if (checked.ok) setBounded(accepted, url, checked, MAX_CACHED_URLS);
    return checked;
  }

  async function send(request: GetRequest | PostRequest): Promise<PostResult> {
    if (isClosed) throw new ClientClosedError();
    request.signal?.throwIfAborted();
    const checked = check(request.url);
    if (!checked.ok) return { error: 'blocked_target', message: checked.refusal.message, durationMs: 0 };
    const { target } = checked;
    return sendRequest({ pool, target, request });
  }

  return {
    post: send,
    get: send,
    close() {
      isClosed = true;
      pool.close(new ClientClosedError());
    },
  };
}
