/** From inbound keys to the names of the fields that get their values. */
export type FieldMapping = Readonly<Record<string, string>>;

/** A value of an inbound body with its name in the submission. */
export interface MappedValue {
  name: string;
  /** Its path in the body: object keys and array indexes. */
  path: readonly string[];
  value: unknown;
}

/** An array index as in JSON Pointer, without sign and leading zeros. */
const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Maps the values of an inbound body to field names. The server stores the result, and the
 * dashboard previews it. docs/reference/inbound.md#field-mapping
 *
 * A mapping key is first looked up as a top-level key, including its dots. If there is none, it is
 * a dotted path into the own properties of objects and arrays (`customer.mail`, `items.0.sku`). A
 * path without a target has no value.
 *
 * A top-level key without a mapping keeps its name and its whole value, even if paths lead into it.
 * One exception (ADR 0038): a part that is mapped to the name of its whole (`email.value` →
 * `email`) replaces the whole.
 *
 * Several values may get one name; the caller handles that. Takes time linear in the body and the
 * mapping.
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
 * Finds the value of a mapping key, by the rules of {@link mapFields}.
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
    // An array's `length` is an own property but not an element.
    if (Array.isArray(value) && !ARRAY_INDEX.test(segment)) return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[segment];
  }
  return { value };
}
