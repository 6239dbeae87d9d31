import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** Names that this machine knows without asking anybody, each with its addresses. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** How names that aren't whole are completed; resolv.conf(5). */
export interface SearchRules {
  /** Domains that are tried, in this order. */
  domains: readonly string[];
  /** A name with at least this many dots is tried as it is first. */
  ndots: number;
}

const CHECKED_EVERY_MS = 1000;

/** The text of a hosts file, hosts(5). Addresses with a zone are left out: they are of one network interface. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const [address = '', ...names] of wordsOf(text, /#.*$/)) {
    if (isIP(address) === 0 || address.includes('%')) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name) ?? [];
      if (!known.includes(address)) hosts.set(name, [...known, address]);
    }
  }
  return hosts;
}

/** The text of a resolv.conf. Of several `search` and `domain` lines the last one counts, as in libc. */
export function parseSearchRules(text: string): SearchRules {
  let domains: string[] = [];
  let ndots = 1;
  for (const [keyword, ...values] of wordsOf(text, /[#;].*$/)) {
    if (keyword === 'search') domains = values.map((value) => value.replace(/\.$/, '')).filter(Boolean);
    if (keyword === 'domain') domains = values.slice(0, 1);
    if (keyword !== 'options') continue;
    const given = values
      .map((value) => /^ndots:(\d+)$/.exec(value)?.[1])
      .find((value) => value !== undefined);
    if (given !== undefined) ndots = Math.min(Number(given), 15);
  }
  return { domains, ndots };
}

/**
 * A small file that is parsed again when it has changed; looked at once a second at most. A file that can't be read is empty.
 * Synchronous, because the threads that asynchronous reads wait for may be busy hashing passwords.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let parsed = parse('');
  let version = '';
  let checkedAt = -Infinity;
  return () => {
    if (performance.now() - checkedAt < CHECKED_EVERY_MS) return parsed;
    checkedAt = performance.now();
    try {
      const { ino, size, mtimeMs } = statSync(path);
      const found = `${ino} ${size} ${mtimeMs}`;
      if (found !== version) parsed = parse(readFileSync(path, 'utf8'));
      version = found;
    } catch {
      parsed = parse('');
      version = '';
    }
    return parsed;
  };
}

function wordsOf(text: string, comment: RegExp): string[][] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replace(comment, '').trim().split(/\s+/))
    .filter(([first]) => first !== '');
}
