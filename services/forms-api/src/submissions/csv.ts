import type { SubmissionOut } from '@svcforms/contracts';
import { stringify } from 'csv-stringify/sync';

type Row = readonly string[];

/** A table of submissions: `header` once, then `lines` for each batch. */
interface CsvTable {
  header: string;
  lines: (submissions: readonly SubmissionOut[]) => string;
}

const METADATA = ['submittedVia', 'ipAddress', 'userAgent', 'page', 'taskId', 'resolvedBy'] as const;
/** Values without a field: from another system, or from before the form changed. JSON text. */
const REST = 'other';
const OWN = ['id', 'createdAt', ...METADATA, REST];

/**
 * Creates a CSV table (RFC 4180) with the columns of every submission, a column per field, and one for values without a field.
 * A cell that a spreadsheet would evaluate as a formula starts with an apostrophe. docs/reference/forms.md#export-submissions
 */
export function csvTable(fieldNames: readonly string[]): CsvTable {
  const known = new Set(fieldNames);
  const header = ['id', 'createdAt', ...METADATA, ...columnNames(fieldNames), REST];

  function row({ id, createdAt, metadata, data }: SubmissionOut): Row {
    const rest = Object.entries(data).filter(([name]) => !known.has(name));
    return [
      id,
      createdAt,
      ...METADATA.map((name) => cell(metadata[name])),
      ...fieldNames.map((name) => (Object.hasOwn(data, name) ? cell(data[name]) : '')),
      rest.length === 0 ? '' : JSON.stringify(Object.fromEntries(rest)),
    ];
  }

  return {
    header: csv([header]),
    lines: (submissions) => csv(submissions.map(row)),
  };
}

/** Renames fields that have the name of one of our own columns. */
function columnNames(fieldNames: readonly string[]): string[] {
  const taken = new Set([...OWN, ...fieldNames]);
  return fieldNames.map((name) => {
    if (!OWN.includes(name)) return name;
    let other = `data.${name}`;
    while (taken.has(other)) other = `data.${other}`;
    taken.add(other);
    return other;
  });
}

function cell(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as number | boolean);
}

function csv(rows: readonly Row[]): string {
  return stringify([...rows], {
    record_delimiter: '\r\n',
    // Quotes every kind of line break, not just the record delimiter.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
}
