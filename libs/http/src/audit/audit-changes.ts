import type { AuditChanges } from '@svcforms/contracts';

/** Longer values (as JSON) are named without their content. */
const MAX_VALUE_LENGTH = 200;
const MAX_PROPERTIES = 50;

/**
 * The properties that differ between two versions of a resource, for the audit log.
 * @param names The properties to compare. Never name secrets, their hashes or submitted values: name those in `hidden`.
 * @param hidden Properties that may have changed and whose values stay out of the log.
 */
export function changesBetween<T extends object>(
  before: Partial<T>,
  after: Partial<T>,
  { names, hidden = [] }: { names: readonly (keyof T & string)[]; hidden?: readonly (keyof T & string)[] },
): AuditChanges {
  const differs = (name: keyof T) => textOf(before[name]) !== textOf(after[name]);
  const changed = names
    .filter(differs)
    .map((name) => [name, { ...part('from', before[name]), ...part('to', after[name]) }]);
  const concealed = hidden.filter(differs).map((name) => [name, {}]);
  return Object.fromEntries([...changed, ...concealed].slice(0, MAX_PROPERTIES)) as AuditChanges;
}

/** A URL as the audit log shows it. Paths and queries of webhook URLs are often credentials. */
export function auditUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

const textOf = (value: unknown) => JSON.stringify(value ?? null);

function part(name: 'from' | 'to', value: unknown) {
  return textOf(value).length > MAX_VALUE_LENGTH ? {} : { [name]: value ?? null };
}
