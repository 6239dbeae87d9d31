import type { FormField, SubmissionOut } from '@svcforms/contracts';
import { fieldLabel } from '../../components/field-labels.ts';
import { valueText } from '../../components/value-text.ts';

/** The order of the loaded submissions by one field. */
export interface FieldSorting {
  name: string;
  label: string;
  direction: 'ascending' | 'descending';
}

/** Ascending, descending, then the order of the list. */
export function nextSorting(now: FieldSorting | undefined, field: FormField): FieldSorting | undefined {
  const { name } = field;
  if (now?.name !== name) return { name, label: fieldLabel(field), direction: 'ascending' };
  return now.direction === 'ascending' ? { ...now, direction: 'descending' } : undefined;
}

const DIRECTIONS = ['ascending', 'descending'] as const;

/** Both orders of each field. */
export const sortingsOf = (fields: readonly FormField[]): FieldSorting[] =>
  fields.flatMap((field) =>
    DIRECTIONS.map((direction) => ({ name: field.name, label: fieldLabel(field), direction })),
  );

const COLLATOR = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Sorts by the values as they are shown, numbers by size. Submissions without a value come last.
 */
export function sortedBy(
  rows: readonly SubmissionOut[],
  sorting: FieldSorting | undefined,
  fields: readonly FormField[],
): readonly SubmissionOut[] {
  const field = sorting && fields.find(({ name }) => name === sorting.name);
  if (!field) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => {
    const [one, other] = [a.data[field.name], b.data[field.name]];
    if (isAbsent(one) || isAbsent(other)) return Number(isAbsent(one)) - Number(isAbsent(other));
    if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
    return sign * COLLATOR.compare(valueText(one, field), valueText(other, field));
  });
}

const isAbsent = (value: unknown) => value === undefined || value === null || value === '';
