import type { SubmissionOut } from '@svcforms/contracts';
import { stringify } from 'csv-stringify/sync';

type Row = readonly string[];

/** A table of submissions; `header` once, then `lines` for as many as there are. */
export interface CsvTable {
  header: string;
  lines: (submissions: readonly SubmissionOut[]) => string;
}

const METADATA = ['submittedVia', 'ipAddress', 'userAgent', 'page', 'taskId', 'resolvedBy'] as const;
/** What belongs to no field of the form: by another system, or from before the form was changed. JSON text. */
const REST = 'other';
const OWN = ['id', 'createdAt', ...METADATA, REST];

/**
 * A column for each field of the form, between what every submission has and what belongs to no field. RFC 4180. A cell that a
 * spreadsheet would take for a formula begins with an apostrophe. contract: api.md §3
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

/** A field that is called like one of our own columns gets another name. */
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
    // A line end of any kind, not just the one between records.
    quoted_match: /[\r\n]/,
    escape_formulas: true,
  });
}
