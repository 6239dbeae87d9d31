import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import './data-table.css';

export interface Column<Row> {
  /**
   * The heading of the column, not necessarily unique. Narrow screens show it in front of each
   * cell.
   */
  label: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
}

/**
 * A table that shows each row as a block on narrow screens, so that it never scrolls horizontally.
 * The roles are explicit, because a table with block layout loses its implicit roles.
 */
export function DataTable<Row>({
  name,
  columns,
  rows,
  keyOf,
}: {
  /** The label for screen readers. */
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
