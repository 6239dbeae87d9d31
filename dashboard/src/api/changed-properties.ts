/**
 * The properties of `after` that differ from `before`. A save sends only these, so that it doesn't
 * undo what somebody else has changed since the user started to edit.
 */
export function changedProperties<T extends object>(before: T, after: T): Partial<T> {
  const names = Object.keys(after) as (keyof T)[];
  const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<T>;
}
