import { blockKind, type QuarantineReason } from '@svcforms/contracts';
import { createTurns } from '@svcforms/primitives';
import { BlockList as Networks, isIPv6 } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

/** What the entries of a block list are compared with. */
interface Blockable {
  /** The submitted values by field name. */
  values: Readonly<Record<string, unknown>>;
  /** The names of fields whose values aren't the visitor's own words. */
  skipped: ReadonlySet<string>;
  /** The client's address. */
  ip: string;
}

/** Says why a submission is blocked; `undefined` if it isn't. */
type FindBlocked = (submission: Blockable) => Promise<QuarantineReason | undefined>;

/** By the list itself: a stored form has the same list until somebody saves the form. */
const compiled = new WeakMap<readonly string[], FindBlocked>();

/** Prepares a block list, once. docs/reference/forms.md#block-lists */
export function blockListOf(entries: readonly string[]): FindBlocked {
  const known = compiled.get(entries);
  if (known) return known;
  const find = compile(entries);
  compiled.set(entries, find);
  return find;
}

/** `search` counts the occurrences of all entries in all values of a submission. */
type Matches = (text: string, search: { occurrences: number }) => boolean;

function compile(entries: readonly string[]): FindBlocked {
  const networks = new Networks();
  const texts: { reason: QuarantineReason; matches: Matches }[] = [];
  for (const entry of entries) {
    const kind = blockKind(entry);
    const text = normalized(entry);
    if (kind === 'network') addNetwork(networks, entry);
    // Nothing is left of an entry of invisible characters, and every text contains the empty text.
    else if (kind && text) {
      for (const spelling of kind === 'word' ? [text] : spellingsOf(text))
        texts.push({ reason: `blocked_${kind}`, matches: MATCHERS[kind](spelling) });
    }
  }

  return async function findBlocked({ values, skipped, ip }) {
    if (networks.rules.length > 0 && networks.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4')) {
      return 'blocked_network';
    }
    if (texts.length === 0) return undefined;
    const own = Object.entries(values).filter(([name]) => !skipped.has(name));
    const submitted = own.flatMap(([, value]) => textsIn(value)).map(normalized);
    const search = { occurrences: 0 };
    const turn = createTurns();
    for (const { reason, matches } of texts) {
      if (submitted.some((text) => matches(text, search))) return reason;
      await turn();
    }
    return undefined;
  };
}

/**
 * A domain or an address, and the same with the domain in ASCII, which is how browsers send what
 * visitors enter.
 */
function spellingsOf(text: string): Set<string> {
  const at = text.lastIndexOf('@') + 1;
  const domain = text.slice(at);
  const spellings = [domain, domainToASCII(domain), domainToUnicode(domain)].filter(Boolean);
  return new Set(spellings.map((spelling) => text.slice(0, at) + spelling));
}

function addNetwork(networks: Networks, entry: string): void {
  const [address = '', prefix] = entry.split('/');
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  if (prefix === undefined) networks.addAddress(address, family);
  else networks.addSubnet(address, Number(prefix), family);
}

/** Matches no text, not even the empty one at the edge of a value. */
const NEVER = /(?!)/;

const MATCHERS: Readonly<Record<'address' | 'domain' | 'word', (entry: string) => Matches>> = {
  address: (entry) => occurs(entry, { before: /[\w.%+-]$/, after: /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u }),
  // A dot before it makes a subdomain, an @ an address.
  domain: (entry) =>
    occurs(entry.replace(/^@/, ''), {
      before: /[\p{L}\p{N}-]$/u,
      after: /^(?:[\p{L}\p{N}-]|\.[\p{L}\p{N}])/u,
    }),
  // Only where letters belong to a word: Chinese, Japanese and Thai have no spaces.
  word: (entry) =>
    occurs(entry, {
      before: isSpaced(entry.at(0)) ? /[\p{L}\p{N}]$/u : NEVER,
      after: isSpaced(entry.at(-1)) ? /^[\p{L}\p{N}]/u : NEVER,
    }),
};

const isSpaced = (character = '') =>
  /[\p{L}\p{N}]/u.test(character) &&
  !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character);

// The list and the text may have been made for each other, and a search must not block the process.
const MAX_OCCURRENCES = 100_000;

/**
 * Matches a text that contains the entry, unless what is next to it makes it a part of something
 * else. If a search finds too many of those, it matches anyway.
 */
function occurs(entry: string, { before, after }: { before: RegExp; after: RegExp }): Matches {
  return (text, search) => {
    for (let at = text.indexOf(entry); at >= 0; at = text.indexOf(entry, at + 1)) {
      if ((search.occurrences += 1) > MAX_OCCURRENCES) return true;
      const end = at + entry.length;
      if (!before.test(text.slice(Math.max(0, at - 2), at)) && !after.test(text.slice(end, end + 4))) {
        return true;
      }
    }
    return false;
  };
}

/**
 * More accents on one letter than any language has. Normalizing takes time that grows with the
 * square of their number. The two without the property become accents.
 */
const ACCENTS = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/** Without case, width, invisible characters, and differences of white space. */
function normalized(text: string): string {
  return text
    .replace(ACCENTS, '$1')
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return [];
}
