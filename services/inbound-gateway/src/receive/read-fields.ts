import {
  checkValues,
  mapFields,
  pointerOf,
  validationFailed,
  type FormField,
  type Issue,
} from '@svcforms/contracts';

/**
 * The values of an inbound body by field name, as `mapFields` finds them. Two values for one field are refused, not merged.
 * spec: webhooks-tasks-inbound, Inbound endpoint; contract: api.md §4
 * @param body without the token, where that is the credential
 * @throws AppError `VALIDATION_FAILED`, pointing at the values as they were sent.
 */
export function readFields(
  fields: readonly FormField[],
  fieldMapping: Readonly<Record<string, string>>,
  body: object,
): Record<string, unknown> {
  const pathOf = new Map<string, readonly string[]>();
  const issues: Issue[] = [];
  const sent: [string, unknown][] = [];
  for (const { name, path, value } of mapFields(fieldMapping, body)) {
    const other = pathOf.get(name);
    if (other !== undefined) {
      issues.push({
        pointer: pointerOf(path),
        message: `${other.join('.')} gives a value for the field ${name} too; send one of them`,
      });
    }
    pathOf.set(name, path);
    sent.push([name, value]);
  }
  const { values, notShown, unknown, issues: fieldIssues } = checkValues(fields, Object.fromEntries(sent));
  for (const { field, message } of fieldIssues) {
    issues.push({ pointer: pointerOf(pathOf.get(field) ?? [field]), message });
  }
  if (issues.length > 0) throw validationFailed(issues);
  return Object.fromEntries([
    ...Object.entries(values),
    ...Object.entries(notShown),
    ...Object.entries(unknown),
  ]);
}
