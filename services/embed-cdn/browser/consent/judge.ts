/** Yes, no, or nothing that can be read as an answer. */
export type Answer = boolean | undefined;

const YES = /^(yes|true|1|allow|granted|accept|opt-?in)$/i;
const NO = /^(no|false|0|deny|denied|reject|opt-?out)$/i;
/** Members in which banners keep the answer about one permission. */
const STATUS = ['status', 'consentStatus', 'consent', 'value'];

/** An own data property; getters are never called. */
export function own(holder: unknown, key: string): unknown {
  return isObject(holder) ? Object.getOwnPropertyDescriptor(holder, key)?.value : undefined;
}

/**
 * Reads what a banner stored, in any of the forms of embed.md, Consent. `category` names the permission among several;
 * without it the value is the answer itself.
 */
export function judge(value: unknown, category?: string, depth = 0): Answer {
  if (typeof value === 'string') {
    const inner = decode(value);
    return inner === undefined ? judgeText(unescape(value), category) : judge(inner, category, depth + 1);
  }
  if (!isObject(value)) return word(String(value));
  if (!category)
    return Array.isArray(value) ? !!value.length : first(STATUS, (key) => word(String(own(value, key))));
  if (isList(value)) return value.includes(category);
  if (depth > 5) return undefined;
  return first(Object.keys(value), (key) => {
    const inner = own(value, key);
    if ([key, own(inner, 'id'), own(inner, 'name')].includes(category)) return judge(inner);
    if (!isList(inner))
      return isObject(inner) || key === 'categories' ? judge(inner, category, depth + 1) : undefined;
    const isListed = inner.includes(category);
    // Lists of what is permitted, and of what isn't; other lists are of other things.
    if (key === 'categories') return isListed;
    return isListed && key === 'enabled' ? true : isListed && key === 'disabled' ? false : undefined;
  });
}

function judgeText(text: string, category: string | undefined): Answer {
  // Cookiebot: not asked, because not needed here.
  if (text === '-1') return true;
  // CookieYes: shown, and not answered yet.
  if (!category || word(text) !== undefined || /\baction:(,|$)/.test(text)) return word(text);
  // OneTrust: what is active.
  if (/^,.*,$/.test(text)) return text.includes(`,${category},`);
  const name = category.replace(/\W/g, '\\$&');
  return word(new RegExp(`(?:^|[^\\w-])${name}["']?\\s*[:=]\\s*["']?([\\w-]*)`).exec(text)?.[1] ?? '');
}

function word(text: string): Answer {
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value) && !value.some(isObject);
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const answer = read(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
