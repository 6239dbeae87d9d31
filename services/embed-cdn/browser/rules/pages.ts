import type { Popup } from '../core/trigger.ts';

/**
 * Compiles the rule once; the function that it gives reads where the page is each time. Without a rule the location is
 * never read. spec: popup-forms, Path rules
 */
export function compilePages(pages: Popup['pages']): () => boolean {
  if (!pages) return () => true;
  const include = compileList(pages.include);
  const exclude = compileList(pages.exclude);
  return () => {
    const path = comparable(location.pathname);
    return (!include || include.test(path)) && !exclude?.test(path);
  };
}

/** Nothing in a path is ever a pattern, but for `*`. */
function compileList(paths: readonly string[] = []): RegExp | undefined {
  const patterns = paths.map((path) =>
    comparable(path.replace(/^(?!\/)/, '/').replace(/[?#].*/, ''))
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
