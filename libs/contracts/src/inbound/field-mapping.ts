import { valueAt } from '../api/value-at.ts';

/** Key of the inbound body → name of the field that receives its value. */
export type FieldMapping = Readonly<Record<string, string>>;

/** One value of an inbound body under its name in the submission. */
interface MappedValue {
  name: string;
  /** Object keys and array indexes that lead to the value in the body. */
  path: readonly string[];
  value: unknown;
}

/**
 * Applies a field mapping to an inbound body. The server stores the result; the dashboard previews
 * it.
 *
 * A mapping key first matches a top-level key literally, dots included. If the body has no such
 * key, the mapping key is read as a dotted path into objects and arrays (`customer.mail`,
 * `items.0.sku`), through own properties only. A path that doesn't exist yields no value.
 *
 * An unmapped top-level key keeps its name and its whole value, even if paths lead into it. One
 * exception: a path to the key's own name (`email.value` → `email`) replaces the whole value.
 *
 * The result may have several values with the same name; the caller decides what to do with them.
 * Takes linear time in the sizes of the body and the mapping. See
 * docs/reference/inbound.md#field-mapping.
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
 * The value in a body that a mapping key refers to, by the rules of {@link mapFields}.
 * @returns undefined if the body has no such key or path; otherwise the value, which may be null
 */
export function findMappedValue(body: object, key: string): { value: unknown } | undefined {
  return valueAt(body, Object.hasOwn(body, key) ? [key] : key.split('.'));
}

function mappedName(fieldMapping: FieldMapping, key: string): string | undefined {
  return Object.hasOwn(fieldMapping, key) ? fieldMapping[key] : undefined;
}
