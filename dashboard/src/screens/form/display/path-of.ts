/** The path of an address, or of what stands for one: `https://example.com/a?b` and `a` → `/a`. */
export function pathOf(text: string): string {
  try {
    return new URL(text.trim(), 'https://site.invalid').pathname;
  } catch {
    return '/';
  }
}
