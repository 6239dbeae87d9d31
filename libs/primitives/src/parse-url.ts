/**
 * Returns the URL in a text; `null` if it isn't one. `URL.canParse` of Node.js 20 doesn't do: after
 * some thousand calls, V8 passes it the bytes of a Latin-1 string as UTF-8, and it refuses every name
 * with an umlaut.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
