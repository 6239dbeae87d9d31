/** An array index as in JSON Pointer: no sign and no leading zero. */
const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * The value at a path in a JSON body, through own properties and array elements only.
 * @returns undefined if there is none; otherwise the value, which may be null
 */
export function valueAt(body: unknown, path: readonly string[]): { value: unknown } | undefined {
  let value = body;
  for (const segment of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    // The `length` of an array is an own property, but not an element.
    if (Array.isArray(value) && !ARRAY_INDEX.test(segment)) return undefined;
    if (!Object.hasOwn(value, segment)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[segment];
  }
  return { value };
}
