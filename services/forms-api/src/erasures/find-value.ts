/** Whether JSON text holds the value, as a whole, anywhere in it: in lists and objects too, but not as a name. */
export type Finder = (json: string) => boolean;

/** Texts are compared as they are; a number or a yes/no is named by its text. */
export function findValue(value: string): Finder {
  // Most texts are told apart without parsing. What is stored was written by `JSON.stringify`, as this is.
  const needle = JSON.stringify(value).slice(1, -1);
  return (json) => json.includes(needle) && holds(JSON.parse(json), value);
}

function holds(found: unknown, value: string): boolean {
  if (typeof found === 'string') return found === value;
  if (typeof found === 'object' && found !== null)
    return Object.values(found).some((member) => holds(member, value));
  return (typeof found === 'number' || typeof found === 'boolean') && String(found) === value;
}
