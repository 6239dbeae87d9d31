import {
  formDefinition,
  FormIn,
  readInput,
  themeIssues,
  type FormDefinition,
  type Issue,
} from '@svcforms/contracts';

/**
 * Lists what is wrong with a form, as saving it as a new one would report: logic, texts, popup and
 * contrast. A form of an older version, or with an older theme, may have problems that saving it
 * again allows.
 */
export function definitionProblems(form: FormDefinition): Issue[] {
  const reading = readInput(FormIn, form);
  const contrast = themeIssues(form.settings.theme);
  if (!reading.ok) return [...reading.issues, ...contrast];
  return [...formDefinition(reading.value).issues, ...contrast];
}
