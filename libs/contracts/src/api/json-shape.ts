export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One problem for each unknown key of an object in a request. */
export const unknownKeys = (
  object: object,
  known: readonly string[],
): { path: string[]; message: string }[] =>
  Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: [key], message: `is an unknown key; known keys: ${known.join(', ')}` }));
