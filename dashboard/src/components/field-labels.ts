import { labelText, type FormField } from '@svcforms/contracts';

/** The label of a field without its markup, or its name if the label is blank. */
export function labelOf({ label, name }: Pick<FormField, 'label' | 'name'>): string {
  return labelText(label?.trim() || name);
}

/** What the value of a field is called. The text of a consent is shown with its value. */
export function fieldLabel({
  type,
  ...field
}: Pick<FormField, 'name' | 'label'> & { type?: string }): string {
  return type === 'consent' ? field.name : labelOf(field);
}

/** The label of an option, or its value if the label is blank. */
export function optionLabel({ label, value }: NonNullable<FormField['options']>[number]): string {
  return label?.trim() || value;
}
