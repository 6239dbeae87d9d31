import { parseUrl } from '@svcforms/primitives';
const EXPECTED = 'must be nats://host:4222 or tls://host:4222, or a comma-separated list of these';

/**
 * Returns what is wrong with a list of NATS servers; `null` if nothing is. The text names the first
 * bad entry by its position, and by its host where that can't be a part of a password.
 */
export function natsUrlProblem(text: string): string | null {
  const entries = text.split(',').map((entry) => entry.trim());
  for (const [index, entry] of entries.entries()) {
    const problem = problemOf(entry) ?? differenceOf(entry, entries.slice(0, index));
    if (problem === null) continue;
    const named = nameOf(entry, entries[index + 1]);
    const place = entries.length === 1 ? 'it' : `entry ${index + 1} of ${entries.length}`;
    return `${EXPECTED}; ${place}${named && ` (${named})`} ${problem}`;
  }
  return null;
}

function problemOf(entry: string): string | null {
  if (entry === '') return 'is empty';
  if (!/^(nats|tls):\/\//.test(entry)) return "doesn't begin with nats:// or tls://";
  const url = parseUrl(entry);
  if (!url) {
    return "isn't a valid URL; special characters of a user or password must be percent-encoded";
  }
  const { host, port, pathname, search, hash, username, password } = url;
  if (host === '' || port === '0') return 'has no host and port';
  if (pathname.length > 1 || search || hash || /[?#]/.test(entry)) {
    return 'has more after the host and port; special characters of a password must be percent-encoded';
  }
  if (password && !username) return 'has a password without a user';
  if (!isDecodable(username) || !isDecodable(password)) {
    return "has a % that isn't followed by two hexadecimal digits; write it as %25";
  }
  return null;
}

/** All servers of the list are used with the same credentials and the same encryption. */
function differenceOf(entry: string, before: readonly string[]): string | null {
  const url = new URL(entry);
  const others = before.map((other) => new URL(other));
  if (others.some(({ protocol }) => protocol !== url.protocol)) {
    return 'has another scheme than the entries before; use tls:// for all of them or for none';
  }
  const isOther = ({ username, password }: URL) =>
    username !== '' && (username !== url.username || password !== url.password);
  if (url.username && others.some(isOther)) {
    return 'has another user, password or token than the entries before; all servers get the same';
  }
  return null;
}

/**
 * The host of an entry; empty if it may be a part of a password, which a comma in the password
 * splits over several entries. The port isn't shown, because the password is in its place where the
 * host is missing.
 */
function nameOf(entry: string, next: string | undefined): string {
  const isWhole = next === undefined || /^\w+:\/\//.test(next);
  const [host = ''] = /^(\[[^\]]*\]|[\w.-]*)/.exec(entry.replace(/^\w+:\/\//, '').replace(/^.*@/s, '')) ?? [];
  return isWhole ? host : '';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
