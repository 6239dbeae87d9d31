/** The consent state: granted, denied, or unknown. */
export type ConsentState = boolean | undefined;

const YES = /^(yes|true|1|allow|granted|accept|opt-?in)$/i;
const NO = /^(no|false|0|deny|denied|reject|opt-?out)$/i;
/** Properties in which consent banners keep the state of one category. */
const STATUS = ['status', 'consentStatus', 'consent', 'value'];
/**
 * The maximum number of objects to inspect: some banners hold references to the whole document.
 */
const MAX_OBJECTS = 500;

/**
 * Reads a property like any script of the page, through getters, prototypes, and proxies. Never
 * calls a method.
 */
export function member(holder: unknown, key: string): unknown {
  return (holder as Record<string, unknown> | undefined)?.[key];
}

/**
 * Reads the value that a banner stored, in any supported format
 * (docs/reference/popups.md#consent-values). `category` names one of several categories; without it
 * the value itself is the state. `seen` holds the objects that were inspected so far.
 */
export function parseConsent(value: unknown, category?: string, seen = new Set<unknown>()): ConsentState {
  if (typeof value === 'string') {
    const inner = decode(value);
    return inner === undefined ? parseText(unescape(value), category) : parseConsent(inner, category, seen);
  }
  if (!isObject(value)) return word(value);
  if (!category)
    return Array.isArray(value) ? !!value.length : first(STATUS, (key) => word(member(value, key)));
  if (isList(value)) return value.includes(category);
  if (seen.has(value) || seen.size > MAX_OBJECTS) return undefined;
  seen.add(value);
  const parseMember = (key: string): ConsentState => {
    const inner = member(value, key);
    if ([key, member(inner, 'id'), member(inner, 'name')].includes(category)) return parseConsent(inner);
    // Borlabs lists only the groups that are permitted.
    if (key === 'consents' && inner && Object.values(inner).some(isList) && !member(inner, category))
      return false;
    if (!isList(inner))
      return isObject(inner) || key === 'categories' ? parseConsent(inner, category, seen) : undefined;
    const isListed = inner.includes(category);
    // Only these lists hold permitted or refused categories; other lists mean something else.
    if (key === 'categories') return isListed;
    return isListed && key === 'enabled' ? true : isListed && key === 'disabled' ? false : undefined;
  };
  // The category comes first because properties that a class defines aren't own keys.
  return first([category, ...Object.keys(value)], parseMember);
}

function parseText(text: string, category: string | undefined): ConsentState {
  // Cookiebot: consent isn't required in this region.
  if (text === '-1') return true;
  // CookieYes: the banner is open and the visitor hasn't chosen yet.
  if (!category || word(text) !== undefined || /\baction:(,|$)/.test(text)) return word(text);
  // OneTrust lists the active groups.
  if (/^,.*,$/.test(text)) return text.includes(`,${category},`);
  const name = category.replace(/\W/g, '\\$&');
  return word(new RegExp(`(?:^|[^\\w-])${name}["']?\\s*[:=]\\s*["']?([\\w-]*)`).exec(text)?.[1]);
}

function word(value: unknown): ConsentState {
  const text = String(value);
  return YES.test(text) ? true : NO.test(text) ? false : undefined;
}

/** Parses JSON that holds an object or a string, even if it is base64 or percent-encoded. */
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
    // The rest contains a literal percent sign.
  }
  return text.trim();
}

/** Some banners are functions with properties, either until they load or always. */
function isObject(value: unknown): value is object {
  return Object(value) === value;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && !value.some(isObject);
}

/** Returns the first result that isn't undefined. */
export function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const state = read(item);
    if (state !== undefined) return state;
  }
  return undefined;
}
