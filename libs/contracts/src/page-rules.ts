import type { Popup } from './popup.ts';

/**
 * Compiles `settings.popup.pages` once; the function that it gives asks `where` the page is each time, for a path such as
 * `location.pathname`. Without a rule it is never asked. spec: popup-forms, Path rules
 */
export function compilePages(pages: Popup['pages'], where: () => string): () => boolean {
  if (!pages) return () => true;
  const include = compileList(pages.include);
  const exclude = compileList(pages.exclude);
  return () => {
    const path = comparable(where());
    return (!include || include.test(path)) && !exclude?.test(path);
  };
}

/** Nothing in a path is ever a pattern, but for `*`. Saved paths have their leading slash. */
function compileList(paths: readonly string[] = []): RegExp | undefined {
  const patterns = paths.map((path) =>
    comparable(path.replace(/[?#].*/, ''))
      .split('*')
      .map((text) => text.replace(/[^\w/]/g, '\\$&'))
      .join('.*'),
  );
  return patterns.length ? new RegExp(`^(?:${patterns.join('|')})$`) : undefined;
}

function comparable(path: string): string {
  try {
    path = decodeURI(path);
  } catch {
    // A stray percent sign is compared as it is.
  }
  return path.toLowerCase().replace(/(.)\/+$/, '$1');
}
