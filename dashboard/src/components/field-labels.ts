import { labelText, markdownText, type FormField } from '@svcforms/contracts';

type Labelled = Pick<FormField, 'name' | 'label'> & { type?: string };

/** The label of a field without its markup, or its name if the label is blank. */
export function labelOf({ type, label, name }: Labelled): string {
  const text = label?.trim() || name;
  return type === 'paragraph' ? markdownText(text) : labelText(text);
}

/** What the value of a field is called. The text of a consent is shown with its value. */
export function fieldLabel(field: Labelled): string {
  return field.type === 'consent' ? field.name : labelOf(field);
}

/** The label of an option, or its value if the label is blank. */
export function optionLabel({ label, value }: NonNullable<FormField['options']>[number]): string {
  return label?.trim() || value;
}
