import type { Popup } from './popup.ts';

/**
 * Compiles `settings.popup.pages` once. The returned function matches the current path; it calls
 * `where` each time for a path such as `location.pathname`, or never if there are no rules. See
 * docs/reference/popups.md#page-targeting.
 */
export function compilePages(pages: Popup['pages'], where: () => string): () => boolean {
  if (!pages) return () => true;
  const [include, exclude] = [pages.include, pages.exclude].map((paths) => (paths ?? []).map(compile));
  return () => {
    const path = decoded(withoutTrailingSlashes(where()));
    const isIn = (list: readonly Pattern[] = []) => list.some((pattern) => matches(pattern, path));
    return (!include?.length || isIn(include)) && !isIn(exclude);
  };
}

/** The literal texts around the wildcards, at least one. Saved paths start with a slash. */
type Pattern = readonly string[];

function compile(path: string): Pattern {
  // Split before decoding, because an encoded asterisk isn't a wildcard.
  return withoutTrailingSlashes(path.split(/[?#]/)[0] as string)
    .split('*')
    .map(decoded);
}

/**
 * Searches for each literal text after the end of the previous one. The leftmost match is always
 * sufficient, so there is no backtracking. A regular expression would backtrack, for minutes with
 * five wildcards.
 */
function matches(pattern: Pattern, path: string): boolean {
  const last = pattern.length - 1;
  let end = 0;
  return pattern.every((text, i) => {
    const at = !i ? 0 : i < last ? path.indexOf(text, end) : path.length - text.length;
    const fits = at >= end && path.startsWith(text, at);
    end = at + text.length;
    return fits && (!!last || end === path.length);
  });
}

/**
 * Decodes each percent-encoded character, and converts to lower case. Invalid encoding is compared
 * as it is.
 */
function decoded(text: string): string {
  return text
    .replace(/%..(%[89ab].)*/gi, (encoded) => {
      try {
        return decodeURI(encoded);
      } catch {
        return encoded;
      }
    })
    .toLowerCase();
}

/** Removes trailing slashes, except from the root path. */
function withoutTrailingSlashes(path: string): string {
  while (path[1] && path.endsWith('/')) path = path.slice(0, -1);
  return path;
}
