/**
 * Whether JSON text contains the whole value anywhere, including in lists and objects, but not as a
 * property name.
 */
export type Finder = (json: string) => boolean;

/** Compares text exactly. Numbers and booleans match by their text. */
export function findValue(value: string): Finder {
  // Most text is excluded without parsing it, because `JSON.stringify` wrote both.
  const needle = JSON.stringify(value).slice(1, -1);
  return (json) => json.includes(needle) && holds(JSON.parse(json), value);
}

function holds(found: unknown, value: string): boolean {
  if (typeof found === 'string') return found === value;
  if (typeof found === 'object' && found !== null)
    return Object.values(found).some((member) => holds(member, value));
  return (typeof found === 'number' || typeof found === 'boolean') && String(found) === value;
}
