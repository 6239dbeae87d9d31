/** Inbound key → name of the field that takes its value. */
export type FieldMapping = Readonly<Record<string, string>>;

/** One value of an inbound body under the name that it gets in the submission. */
export interface MappedValue {
  name: string;
  /** Where it is in the body: object keys and array indexes, from the top. */
  path: readonly string[];
  value: unknown;
}

/** An array index as JSON Pointer writes it: no sign and no leading zero. */
const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The values of an inbound body by the names that they get. The server stores what this returns, and the dashboard previews it.
 *
 * A mapping key is first looked for as a top-level key, dots and all. Only a key that isn't there is read as a dotted path into
 * objects and arrays (`customer.mail`, `items.0.sku`); own properties only. A path that leads nowhere gives no value.
 *
 * A top-level key without a mapping keeps its name and its whole value, also where paths lead into it. One exception: where a
 * part of it takes its very name (`email.value` → `email`), the part replaces the whole.
 *
 * Two values may get one name; the caller decides what that means. Takes time linear in the body and the mapping.
 * @param body a parsed JSON object
 */
export function mapFields(fieldMapping: FieldMapping, body: object): MappedValue[] {
  const parts: MappedValue[] = [];
  const replaced = new Set<string>();
  for (const [key, name] of Object.entries(fieldMapping)) {
    const path = key.split('.');
    const found = path.length > 1 && !Object.hasOwn(body, key) ? valueAt(body, path) : undefined;
    if (!found) continue;
    parts.push({ name, path, value: found.value });
    if (path[0] === name) replaced.add(name);
  }
  const whole = Object.entries(body).flatMap(([key, value]): MappedValue[] => {
    const name = mappedName(fieldMapping, key);
    if (name === undefined && replaced.has(key)) return [];
    return [{ name: name ?? key, path: [key], value }];
  });
  return [...whole, ...parts];
}

/**
 * What a mapping key stands for in a body, by the rules of {@link mapFields}.
 * @returns undefined when the body has no such key or path; otherwise the value, which may be null.
 */
export function findMappedValue(body: object, key: string): { value: unknown } | undefined {
  return valueAt(body, Object.hasOwn(body, key) ? [key] : key.split('.'));
}

function mappedName(fieldMapping: FieldMapping, key: string): string | undefined {
  return Object.hasOwn(fieldMapping, key) ? fieldMapping[key] : undefined;
}

function valueAt(body: object, path: readonly string[]): { value: unknown } | undefined {
  let value: unknown = body;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    // An array's `length` is an own property, but no element.
    if (Array.isArray(value) && !ARRAY_INDEX.test(segment)) return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[segment];
  }
  return { value };
}
