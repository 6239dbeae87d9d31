import { checkValues, pointerOf, validationFailed, type FormField, type Issue } from '@svcforms/contracts';

/**
 * The values of an inbound body by field name. A mapped key takes its field's name, a key that is no field is kept under its
 * own, `token` is left out: it is a credential. Nothing that was sent is lost: two keys for one field are refused, not merged.
 * spec: webhooks-tasks-inbound, Inbound endpoint; contract: api.md §4
 * @throws AppError `VALIDATION_FAILED`, pointing at the keys as they were sent.
 */
export function readFields(
  fields: readonly FormField[],
  fieldMapping: Readonly<Record<string, string>>,
  body: object,
): Record<string, unknown> {
  const keyOf = new Map<string, string>();
  const issues: Issue[] = [];
  const sent: [string, unknown][] = [];
  for (const [key, value] of Object.entries(body)) {
    if (key === 'token') continue;
    const name = Object.hasOwn(fieldMapping, key) ? (fieldMapping[key] ?? key) : key;
    const other = keyOf.get(name);
    if (other !== undefined) {
      issues.push({
        pointer: pointerOf([key]),
        message: `${other} gives a value for the field ${name} too; send one of them`,
      });
    }
    keyOf.set(name, key);
    sent.push([name, value]);
  }
  const { values, notShown, unknown, issues: fieldIssues } = checkValues(fields, Object.fromEntries(sent));
  for (const { field, message } of fieldIssues) {
    issues.push({ pointer: pointerOf([keyOf.get(field) ?? field]), message });
  }
  if (issues.length > 0) throw validationFailed(issues);
  return Object.fromEntries([
    ...Object.entries(values),
    ...Object.entries(notShown),
    ...Object.entries(unknown),
  ]);
}
