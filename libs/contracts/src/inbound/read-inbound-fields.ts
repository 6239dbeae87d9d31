import { pointerOf } from '../api/json-pointer.ts';
import { validationFailed, type Issue } from '../errors/errors.ts';
import { checkValues } from '../forms/field-values.ts';
import type { FormField } from '../forms/form-field.ts';
import type { Jump } from '../forms/logic.ts';
import { mapFields } from './field-mapping.ts';

/**
 * Maps an inbound body to values by field name. Two values for one field are rejected, not merged.
 * docs/reference/inbound.md#field-mapping
 * Fields that logic hides needn't be there, and are kept if they are.
 * @param body without the token, if that is the credential
 * @throws AppError `VALIDATION_FAILED`, with pointers to the values in the body
 */
export function readInboundFields(
  fields: readonly FormField[],
  fieldMapping: Readonly<Record<string, string>>,
  body: object,
  jumps?: readonly Jump[],
): Record<string, unknown> {
  const pathOf = new Map<string, readonly string[]>();
  const issues: Issue[] = [];
  const sent: [string, unknown][] = [];
  for (const { name, path, value } of mapFields(fieldMapping, body)) {
    const other = pathOf.get(name);
    if (other !== undefined) {
      issues.push({
        pointer: pointerOf(path),
        message: `${other.join('.')} also has a value for the field ${name}; send only one`,
      });
    }
    pathOf.set(name, path);
    sent.push([name, value]);
  }
  const {
    values,
    notShown,
    unknown,
    issues: fieldIssues,
  } = checkValues(fields, Object.fromEntries(sent), jumps);
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
