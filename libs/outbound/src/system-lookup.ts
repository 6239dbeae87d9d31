import { setBounded } from '@svcforms/primitives';
import { promises as dns } from 'node:dns';
import { parseHosts, parseSearchRules, watchedFile, type SearchRules } from './name-files.ts';
import type { Policy } from './policy.ts';
import type { Lookup } from './resolve-target.ts';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLV_CONF = '/etc/resolv.conf';

/**
 * Shorter than the 3 s of the connection timeout, so that a lookup that gets no response fails as a
 * DNS error.
 */
const LOOKUP_TIMEOUT_MS = 2000;
const FIRST_TRY_MS = 700;
const TRIES = 3;
/** Unresponsive name servers of one account delay only that account. */
const LOOKUPS_PER_ACCOUNT = 16;
const NOT_FOUND_TTL_MS = 30_000;
const NO_RESPONSE_TTL_MS = 10_000;
/**
 * A lookup that is cancelled after this time counts as failed: it would most likely have got no
 * response.
 */
const UNRESPONSIVE_AFTER_MS = 500;
const MAX_FAILURES = 10_000;

/** The name doesn't exist or has no address. */
const NOT_FOUND = ['ENOTFOUND', 'ENODATA'];
/** Responses after which the next search domain is tried. */
const RESPONDED = [...NOT_FOUND, 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'EBADRESP'];

interface SystemLookupOptions {
  /** Name servers as `address`, `address:port` or `[address]:port`. Default: the system's. */
  servers?: readonly string[];
  /** Default: the system's. */
  hostsFile?: string;
  /** The file with search domains and `ndots`. Default: the system's. */
  resolvConf?: string;
}

/**
 * Looks names up in the system's hosts file and with its name servers and search domains, but
 * without the system call, which occupies one of libuv's few threads until a response arrives and
 * can't be cancelled. A lookup can be cancelled, each account has a limited number of concurrent
 * lookups, and failures are cached briefly. Addresses aren't cached: each connection looks them up
 * and checks them. ADR 0032
 */
export function createSystemLookup(options: SystemLookupOptions = {}): Lookup {
  const { servers, hostsFile = HOSTS_FILE, resolvConf = RESOLV_CONF } = options;
  const hosts = watchedFile(hostsFile, parseHosts);
  const searchRules = watchedFile(resolvConf, parseSearchRules);
  const failures = createFailures();
  const acquirePermit = createKeyedSemaphore(LOOKUPS_PER_ACCOUNT);

  return async (hostname, { signal, accountId = '' } = {}) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const known = hosts().get(name) ?? (name === 'localhost' ? ['127.0.0.1', '::1'] : undefined);
    if (known) return known;

    failures.throwCached(hostname);
    const release = await acquirePermit(accountId, signal);
    const startedAt = performance.now();
    try {
      // Another lookup may have failed while this one waited.
      failures.throwCached(hostname);
      return await resolve(candidatesOf(hostname, searchRules()), { servers, signal });
    } catch (error) {
      if (!signal?.aborted) failures.add(hostname, error as Error);
      else if (performance.now() - startedAt >= UNRESPONSIVE_AFTER_MS) failures.add(hostname, noResponse());
      throw error;
    } finally {
      release();
    }
  };
}

/** Returns the lookup for a policy. */
export function lookupOf({ dnsServers }: Policy): Lookup {
  return createSystemLookup(dnsServers === undefined ? {} : { servers: dnsServers });
}

/** Returns the names to try, in the order that resolv.conf(5) defines. */
function candidatesOf(hostname: string, { domains, ndots }: SearchRules): string[] {
  if (hostname.endsWith('.')) return [hostname.slice(0, -1)];
  const completed = domains.map((domain) => `${hostname}.${domain}`);
  const dots = hostname.split('.').length - 1;
  return dots >= ndots ? [hostname, ...completed] : [...completed, hostname];
}

/**
 * Returns the addresses of the first name that has any, within `LOOKUP_TIMEOUT_MS` for all names
 * together.
 */
async function resolve(
  names: readonly string[],
  { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal | undefined },
): Promise<string[]> {
  // One resolver per lookup: `cancel` ends all its queries.
  const resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers && servers.length > 0) resolver.setServers(servers);
  let isLate = false;
  const cancel = () => resolver.cancel();
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, LOOKUP_TIMEOUT_MS);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    let failure: Error = noResponse();
    for (const name of names) {
      const responses = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      signal?.throwIfAborted();
      const addresses = responses.flatMap((response) =>
        response.status === 'fulfilled' ? response.value : [],
      );
      if (addresses.length > 0) return addresses;
      const errors = responses.flatMap((response) =>
        response.status === 'rejected' ? [response.reason as Error] : [],
      );
      const unresponsive = errors.find((error) => !hasCode(error, RESPONDED));
      if (unresponsive || isLate)
        throw isLate || hasCode(unresponsive, ['ETIMEOUT']) ? noResponse() : (unresponsive as Error);
      failure = errors[0] ?? failure;
    }
    throw failure;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** A cache of failed lookups by name. */
function createFailures() {
  const failures = new Map<string, { error: Error; until: number }>();
  return {
    throwCached(hostname: string): void {
      const failure = failures.get(hostname);
      if (!failure) return;
      if (failure.until > performance.now()) throw failure.error;
      failures.delete(hostname);
    },
    add(hostname: string, error: Error): void {
      const ms = hasCode(error, NOT_FOUND) ? NOT_FOUND_TTL_MS : NO_RESPONSE_TTL_MS;
      setBounded(failures, hostname, { error, until: performance.now() + ms }, MAX_FAILURES);
    },
  };
}

function noResponse(): Error {
  return Object.assign(new Error('no name server responded in time'), { code: 'ETIMEOUT' });
}

function hasCode(error: Error | undefined, codes: readonly string[]): boolean {
  return error !== undefined && 'code' in error && codes.includes(String(error.code));
}
