import type { Popup } from './popup.ts';

/**
 * Compiles `settings.popup.pages` once; the function that it gives asks `where` the page is each
 * time, for a path such as `location.pathname`. Without a rule it is never asked.
 * docs/reference/popups.md#page-targeting
 */
export function compilePages(pages: Popup['pages'], where: () => string): () => boolean {
  if (!pages) return () => true;
  const [include, exclude] = [pages.include, pages.exclude].map((paths) => (paths ?? []).map(compile));
  return () => {
    const path = decoded(withoutEnd(where()));
    const isIn = (list: readonly Pattern[] = []) => list.some((pattern) => matches(pattern, path));
    return (!include?.length || isIn(include)) && !isIn(exclude);
  };
}

/** Returns the texts around the wildcards, at least one. Saved paths have a leading slash. */
type Pattern = readonly string[];

function compile(path: string): Pattern {
  // Split before decoding: an encoded star isn't a wildcard.
  return withoutEnd(path.split(/[?#]/)[0] as string)
    .split('*')
    .map(decoded);
}

/**
 * Searches each text after the end of the previous one. The leftmost match always suffices, so it
 * never backtracks; a regular expression with five wildcards could backtrack for minutes.
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

/** Lowers the case and decodes percent signs. */
function decoded(text: string): string {
  try {
    text = decodeURI(text);
  } catch {
    // An invalid percent sign is compared unchanged.
  }
  return text.toLowerCase();
}

/** Removes trailing slashes, except from the root path. */
function withoutEnd(path: string): string {
  while (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  return path;
}
