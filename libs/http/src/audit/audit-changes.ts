import { parseUrl } from '@svcforms/primitives';
import type { AuditChanges } from '@svcforms/contracts';

/** Properties with longer values (as JSON) are listed without them. */
const MAX_VALUE_LENGTH = 200;
const MAX_PROPERTIES = 50;

/**
 * Returns the properties that differ between two versions of a resource, for the audit log.
 * @param names the properties to compare; secrets, their hashes and submitted values belong in
 * `hidden`
 * @param hidden properties to compare whose values stay out of the log
 * @param written an object with the properties that the request writes, such as its body. Other
 * properties may differ because another request changed them in between. Default: all.
 */
export function changesBetween<T extends object>(
  before: Partial<T>,
  after: Partial<T>,
  {
    names,
    hidden = [],
    written,
  }: {
    names: readonly (keyof T & string)[];
    hidden?: readonly (keyof T & string)[];
    written?: object | undefined;
  },
): AuditChanges {
  const differs = (name: keyof T) =>
    (!written || name in written) && textOf(before[name]) !== textOf(after[name]);
  const changed = names
    .filter(differs)
    .map((name) => [name, { ...part('from', before[name]), ...part('to', after[name]) }]);
  const concealed = hidden.filter(differs).map((name) => [name, {}]);
  return Object.fromEntries([...changed, ...concealed].slice(0, MAX_PROPERTIES)) as AuditChanges;
}

/**
 * Returns the host of a URL for the audit log. Paths and queries of webhook URLs are often
 * credentials.
 */
export function auditUrl(url: string): string {
  return parseUrl(url)?.host ?? '';
}

const textOf = (value: unknown) => JSON.stringify(value ?? null);

function part(name: 'from' | 'to', value: unknown) {
  return textOf(value).length > MAX_VALUE_LENGTH ? {} : { [name]: value ?? null };
}
