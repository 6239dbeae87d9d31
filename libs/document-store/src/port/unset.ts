/**
 * The part of an update that removes these fields; nothing without any, because stores refuse an
 * empty `$unset`.
 */
export const unsetting = <K extends string>(names: readonly K[]): { $unset?: { [P in K]: true } } =>
  names.length === 0
    ? {}
    : { $unset: Object.fromEntries(names.map((name) => [name, true as const])) as { [P in K]: true } };
