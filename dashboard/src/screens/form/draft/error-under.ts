/** The first error of a setting or of one of its parts. */
export function errorUnder(errors: Readonly<Record<string, string>>, path: string): string | undefined {
  return Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1];
}
