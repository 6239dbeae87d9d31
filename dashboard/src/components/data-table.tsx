import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import './data-table.css';

export interface Column<Row> {
  /** Heading of the column, which may be that of another one too; on narrow screens it stands before each cell. */
  label: string;
  cell: (row: Row) => ReactNode;
  /** Of numbers. */
  isNumber?: boolean;
}

/**
 * Rows under headings; on narrow screens each row is a block of its own, so that nothing has to be scrolled sideways. The roles
 * are written out, because a table that is laid out as blocks loses them.
 */
export function DataTable<Row>({
  name,
  columns,
  rows,
  keyOf,
}: {
  /** What the table holds, for those who hear it. */
  name: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}) {
  return (
    <Table role="table" aria-label={name} className="data-table" verticalSpacing="sm">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ label, isNumber }, index) => (
            <Table.Th key={index} role="columnheader" ta={isNumber ? 'right' : undefined}>
              {label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)} role="row">
            {columns.map(({ label, cell, isNumber }, index) => (
              <Table.Td
                key={index}
                role="cell"
                data-label={label}
                className={isNumber ? 'number' : undefined}
              >
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
