/** The same with one property changed; `undefined` and the empty text take it away, as nothing saved stands for a default. */
export function withProperty<T extends object, K extends keyof T>(
  whole: T,
  key: K,
  value: T[K] | '' | undefined,
): T {
  const { [key]: _, ...rest } = whole;
  return (value === undefined || value === '' ? rest : { ...whole, [key]: value }) as T;
}

/** What a number input holds; undefined while it is empty or half typed. */
export function numberOf(value: number | string): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
