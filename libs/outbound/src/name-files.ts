import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** The addresses of names in a hosts file. */
type Hosts = ReadonlyMap<string, readonly string[]>;

/** The search rules of resolv.conf(5). */
export interface SearchRules {
  /** Domains to append, in this order. */
  domains: readonly string[];
  /** A name with at least this many dots is first tried unchanged. */
  ndots: number;
}

const CHECK_INTERVAL_MS = 1000;

/**
 * Parses a hosts(5) file. Addresses with a zone are skipped: they belong to one network interface.
 */
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

/** Parses a resolv.conf. The last `search` or `domain` line counts, as in libc. */
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
 * Returns a function that reads and parses a small file, and caches the result. Changes are
 * detected at most once a second; a file that can't be read counts as empty. Reads are synchronous,
 * because the threads for asynchronous reads may be busy hashing passwords.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let parsed = parse('');
  let version = '';
  let checkedAt = -Infinity;
  return () => {
    if (performance.now() - checkedAt < CHECK_INTERVAL_MS) return parsed;
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
