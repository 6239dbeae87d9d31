import { promises as dns } from 'node:dns';
import { parseHosts, parseSearchRules, watchedFile, type SearchRules } from './name-files.ts';
import type { Policy } from './policy.ts';
import type { Lookup } from './resolve-target.ts';
import { createSlots } from './slots.ts';

const HOSTS_FILE = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts';
const RESOLV_CONF = '/etc/resolv.conf';

/** Shorter than the 3 s that a connection may take, so that silence is known for what it is. */
const ANSWER_WITHIN_MS = 2000;
const FIRST_TRY_MS = 700;
const TRIES = 3;
/** An account whose name servers don't answer waits for itself alone. */
const LOOKUPS_PER_ACCOUNT = 16;
const NOT_FOUND_FOR_MS = 30_000;
const NO_ANSWER_FOR_MS = 10_000;
/** A look-up that was given up after this long would most likely have gone on without an answer. */
const SILENT_AFTER_MS = 500;
const MAX_FAILURES = 10_000;

/** There is no such name, or it has no address. */
const NOT_FOUND = ['ENOTFOUND', 'ENODATA'];
/** Answers after which the next search domain is tried, too. */
const ANSWERED = [...NOT_FOUND, 'ESERVFAIL', 'EREFUSED', 'EBADNAME', 'EBADRESP'];

export interface SystemLookupOptions {
  /** Name servers as `address`, `address:port` or `[address]:port`. Absent: those of the system. */
  servers?: readonly string[];
  /** Absent: the system's. */
  hostsFile?: string;
  /** Where search domains and `ndots` are read. Absent: the system's. */
  resolvConf?: string;
}

/**
 * Looks names up as this machine does for everybody (its hosts file, search domains and name servers), but not by the system's
 * call: that occupies one of libuv's few threads until the name server answers, and can't be called back. Here a look-up ends when
 * its signal says so, each account has a bounded number of them at a time, and failures are remembered for a moment. Addresses
 * aren't remembered: they are judged, and may change, with each connection.
 */
export function createSystemLookup(options: SystemLookupOptions = {}): Lookup {
  const { servers, hostsFile = HOSTS_FILE, resolvConf = RESOLV_CONF } = options;
  const hosts = watchedFile(hostsFile, parseHosts);
  const searchRules = watchedFile(resolvConf, parseSearchRules);
  const failures = createFailures();
  const takeSlot = createSlots(LOOKUPS_PER_ACCOUNT);

  return async (hostname, { signal, accountId = '' } = {}) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const known = hosts().get(name) ?? (name === 'localhost' ? ['127.0.0.1', '::1'] : undefined);
    if (known) return known;

    failures.throwKnown(hostname);
    const release = await takeSlot(accountId, signal);
    const startedAt = performance.now();
    try {
      // Somebody may have found out while this one waited.
      failures.throwKnown(hostname);
      return await ask(candidatesOf(hostname, searchRules()), { servers, signal });
    } catch (error) {
      if (!signal?.aborted) failures.remember(hostname, error as Error);
      else if (performance.now() - startedAt >= SILENT_AFTER_MS) failures.remember(hostname, noAnswer());
      throw error;
    } finally {
      release();
    }
  };
}

/** The look-up that a policy asks for. */
export function lookupOf({ dnsServers }: Policy): Lookup {
  return createSystemLookup(dnsServers === undefined ? {} : { servers: dnsServers });
}

/** The names to ask for, in the order of resolv.conf(5). */
function candidatesOf(hostname: string, { domains, ndots }: SearchRules): string[] {
  if (hostname.endsWith('.')) return [hostname.slice(0, -1)];
  const completed = domains.map((domain) => `${hostname}.${domain}`);
  const dots = hostname.split('.').length - 1;
  return dots >= ndots ? [hostname, ...completed] : [...completed, hostname];
}

/** The addresses of the first candidate that has any. All of it together ends within `ANSWER_WITHIN_MS`. */
async function ask(
  names: readonly string[],
  { servers, signal }: { servers: readonly string[] | undefined; signal: AbortSignal | undefined },
): Promise<string[]> {
  // One for each look-up: cancelling ends all that a resolver is asking.
  const resolver = new dns.Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
  if (servers && servers.length > 0) resolver.setServers(servers);
  let isLate = false;
  const cancel = () => resolver.cancel();
  const timer = setTimeout(() => {
    isLate = true;
    cancel();
  }, ANSWER_WITHIN_MS);
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    let failure: Error = noAnswer();
    for (const name of names) {
      const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      signal?.throwIfAborted();
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      if (addresses.length > 0) return addresses;
      const errors = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason as Error] : [],
      );
      const silent = errors.find((error) => !hasCode(error, ANSWERED));
      if (silent || isLate) throw isLate || hasCode(silent, ['ETIMEOUT']) ? noAnswer() : (silent as Error);
      failure = errors[0] ?? failure;
    }
    throw failure;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}

/** Failed look-ups, by name, for as long as they are believed. */
function createFailures() {
  const failures = new Map<string, { error: Error; until: number }>();
  return {
    throwKnown(hostname: string): void {
      const failure = failures.get(hostname);
      if (!failure) return;
      if (failure.until > performance.now()) throw failure.error;
      failures.delete(hostname);
    },
    remember(hostname: string, error: Error): void {
      const ms = hasCode(error, NOT_FOUND) ? NOT_FOUND_FOR_MS : NO_ANSWER_FOR_MS;
      failures.delete(hostname);
      const [oldest] = failures.keys();
      if (failures.size >= MAX_FAILURES && oldest !== undefined) failures.delete(oldest);
      failures.set(hostname, { error, until: performance.now() + ms });
    },
  };
}

function noAnswer(): Error {
  return Object.assign(new Error('no name server answered in time'), { code: 'ETIMEOUT' });
}

function hasCode(error: Error | undefined, codes: readonly string[]): boolean {
  return error !== undefined && 'code' in error && codes.includes(String(error.code));
}
