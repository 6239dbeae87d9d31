/**
 * Changes one property. `undefined` and the empty string remove it, because an absent property
 * means the default.
 */
export function withProperty<T extends object, K extends keyof T>(
  whole: T,
  key: K,
  value: T[K] | '' | undefined,
): T {
  const { [key]: _, ...rest } = whole;
  return (value === undefined || value === '' ? rest : { ...whole, [key]: value }) as T;
}

/**
 * The value of a number input, which has texts such as `1.` as they are typed; undefined without a
 * number.
 */
export function numberOf(value: number | string): number | undefined {
  const number = typeof value === 'number' || value.trim() === '' ? value : Number(value);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Removes empty objects, so that an empty theme means the default look. */
export function undefinedIfEmpty<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}
