import { valueFields, type FormField, type SubmissionOut } from '@svcforms/contracts';
import { stringify } from 'csv-stringify/sync';

/** Numbers stay numbers: `-2` as text would be taken for a formula. */
type Cell = string | number;
type Row = readonly Cell[];

/** A table of submissions: `header` once, then `lines` for each batch. */
interface CsvTable {
  header: string;
  lines: (submissions: readonly SubmissionOut[]) => string;
}

const METADATA = ['submittedVia', 'ipAddress', 'userAgent', 'page', 'taskId', 'resolvedBy'] as const;
/** Values without a field: from another system, or from before the form changed. JSON text. */
const REST = 'other';
/** Only in exports of quarantined submissions. */
const REASON = 'quarantineReason';

/**
 * Creates a CSV table (RFC 4180) with the columns of every submission, a column per field, and one
 * for values without a field. A consent has two columns, the second one for the text that was
 * agreed to. Content has none. Those of quarantined submissions have a column for the reason. A
 * text that a spreadsheet would evaluate as a formula starts with an apostrophe.
 * docs/reference/forms.md#export-submissions
 */
export function csvTable(
  all: readonly Pick<FormField, 'name' | 'type'>[],
  { isQuarantine = false } = {},
): CsvTable {
  const fields = valueFields(all);
  const fieldNames = fields.map(({ name }) => name);
  const known = new Set(fieldNames);
  const reason = isQuarantine ? [REASON] : [];
  const own = ['id', 'createdAt', ...METADATA, ...reason];
  const names = columnNames(fieldNames, [...own, REST]);
  // A field name can't contain a space, so no other column has this name.
  const columns = fields.flatMap(({ type }, index) =>
    type === 'consent' ? [names[index] ?? '', `${names[index]} (text)`] : [names[index] ?? ''],
  );
  const header = [...own, ...columns, REST];

  function row({ id, createdAt, metadata, quarantineReason, data }: SubmissionOut): Row {
    const rest = Object.entries(data).filter(([name]) => !known.has(name));
    return [
      id,
      createdAt,
      ...METADATA.map((name) => cell(metadata[name])),
      ...reason.map(() => cell(quarantineReason)),
      ...fields.flatMap(({ name, type }) => {
        const value = Object.hasOwn(data, name) ? data[name] : undefined;
        return type === 'consent' ? consentCells(value) : [cell(value)];
      }),
      rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest)),
    ];
  }

  return {
    header: csv([header]),
    lines: (submissions) => csv(submissions.map(row)),
  };
}

/** Renames fields that have the name of one of our own columns. */
function columnNames(fieldNames: readonly string[], own: readonly string[]): string[] {
  const taken = new Set([...own, ...fieldNames]);
  return fieldNames.map((name) => {
    if (!own.includes(name)) return name;
    let other = `data.${name}`;
    while (taken.has(other)) other = `data.${other}`;
    taken.add(other);
    return other;
  });
}

/** The answer and the text. Values from before the field was a consent are cells as they are. */
function consentCells(value: unknown): [Cell, Cell] {
  if (typeof value !== 'object' || value === null) return [cell(value), ''];
  const { accepted, text } = value as { accepted?: unknown; text?: unknown };
  return accepted === undefined ? [cell(value), ''] : [cell(accepted), cell(text)];
}

function cell(value: unknown): Cell {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as boolean);
}

function csv(rows: readonly Row[]): string {
  return stringify([...rows], {
    record_delimiter: '\r\n',
    // Quotes every kind of line break, not just the record delimiter.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
}
