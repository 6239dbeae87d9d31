/** Yes, no, or nothing that can be read as an answer. */
export type Answer = boolean | undefined;

const YES = /^(yes|true|1|allow|granted|accept|opt-?in)$/i;
const NO = /^(no|false|0|deny|denied|reject|opt-?out)$/i;
/** Members in which banners keep the answer about one permission. */
const STATUS = ['status', 'consentStatus', 'consent', 'value'];
/** How many objects of a page are looked into at most: some banners hold on to the whole document. */
const MAX_OBJECTS = 500;

/** A property as any script of the page reads it, by getters, prototypes and proxies. Methods are never called. */
export function member(holder: unknown, key: string): unknown {
  return (holder as Record<string, unknown> | undefined)?.[key];
}

/**
 * Reads what a banner stored, in any of the forms of embed.md, Consent. `category` names the permission among several;
 * without it the value is the answer itself. `seen` are the objects that were looked into on the way.
 */
export function judge(value: unknown, category?: string, seen = new Set<unknown>()): Answer {
  if (typeof value === 'string') {
    const inner = decode(value);
    return inner === undefined ? judgeText(unescape(value), category) : judge(inner, category, seen);
  }
  if (!isObject(value)) return word(value);
  if (!category)
    return Array.isArray(value) ? !!value.length : first(STATUS, (key) => word(member(value, key)));
  if (isList(value)) return value.includes(category);
  if (seen.has(value) || seen.size > MAX_OBJECTS) return undefined;
  seen.add(value);
  const judgeMember = (key: string): Answer => {
    const inner = member(value, key);
    if ([key, member(inner, 'id'), member(inner, 'name')].includes(category)) return judge(inner);
    // Borlabs: the groups that are permitted; the others are left out.
    if (key === 'consents' && inner && Object.values(inner).some(isList) && !member(inner, category))
      return false;
    if (!isList(inner))
      return isObject(inner) || key === 'categories' ? judge(inner, category, seen) : undefined;
    const isListed = inner.includes(category);
    // Lists of what is permitted, and of what isn't; other lists are of other things.
    if (key === 'categories') return isListed;
    return isListed && key === 'enabled' ? true : isListed && key === 'disabled' ? false : undefined;
  };
  // By its name first: what a class defines is not among the keys of an object.
  return first([category, ...Object.keys(value)], judgeMember);
}

function judgeText(text: string, category: string | undefined): Answer {
  // Cookiebot: not asked, because not needed here.
  if (text === '-1') return true;
  // CookieYes: shown, and not answered yet.
  if (!category || word(text) !== undefined || /\baction:(,|$)/.test(text)) return word(text);
  // OneTrust: what is active.
  if (/^,.*,$/.test(text)) return text.includes(`,${category},`);
  const name = category.replace(/\W/g, '\\$&');
  return word(new RegExp(`(?:^|[^\\w-])${name}["']?\\s*[:=]\\s*["']?([\\w-]*)`).exec(text)?.[1]);
}

function word(value: unknown): Answer {
  const text = String(value);
  return YES.test(text) ? true : NO.test(text) ? false : undefined;
}

/** JSON of an object or a text, also in base64 or behind percent signs. */
function decode(text: string): unknown {
  return first([unescape, (packed: string) => atob(unescape(packed))], (unpack) => {
    try {
      const value: unknown = JSON.parse(unpack(text));
      return isObject(value) || typeof value === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  });
}

function unescape(text: string): string {
  try {
    text = decodeURIComponent(text);
    text = decodeURIComponent(text);
  } catch {
    // What is left has a percent sign of its own.
  }
  return text.trim();
}

/** Some banners are functions with properties, until they have loaded or forever. */
function isObject(value: unknown): value is object {
  return Object(value) === value;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && !value.some(isObject);
}

/** What the first item that gives something gives. */
export function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const answer = read(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
