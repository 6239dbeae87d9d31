import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useRowFocus } from './use-row-focus.ts';
import './data-table.css';

export interface Column<Row> {
  /**
   * The heading of the column, not necessarily unique. Narrow screens show it in front of each
   * cell.
   */
  label: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Makes the heading a button that sorts. `name` is its label for screen readers. */
  sort?: { name: string; direction: 'ascending' | 'descending' | undefined; onSort: () => void };
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
  const rowFocus = useRowFocus(rows.map(keyOf));
  return (
    <Table role="table" aria-label={name} className="data-table" verticalSpacing="sm">
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map(({ label, isNumber, sort }, index) => (
            <Table.Th
              key={index}
              role="columnheader"
              ta={isNumber ? 'right' : undefined}
              aria-sort={sort?.direction}
            >
              {sort && <SortButton label={label} sort={sort} />}
              {sort ? <span className="sort-label">{label}</span> : label}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup" {...rowFocus}>
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

function SortButton({ label, sort }: { label: string; sort: NonNullable<Column<unknown>['sort']> }) {
  const { name, direction, onSort } = sort;
  const Icon =
    direction === 'ascending' ? IconArrowUp : direction === 'descending' ? IconArrowDown : IconArrowsSort;
  return (
    <UnstyledButton className="sort-button" aria-label={name} title={name} onClick={onSort}>
      {label}
      <Icon size={14} aria-hidden />
    </UnstyledButton>
  );
}
