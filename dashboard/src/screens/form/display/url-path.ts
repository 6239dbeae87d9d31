/** Returns the path of a URL or of a relative path: `https://example.com/a?b` and `a` → `/a`. */
export function urlPath(text: string): string {
  try {
    return new URL(text.trim(), 'https://site.invalid').pathname;
  } catch {
    return '/';
  }
}
