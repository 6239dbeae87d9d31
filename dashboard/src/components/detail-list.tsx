import { Box, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Details under a heading. A row has a key, a label and a value. Shows `empty` without rows. */
export function DetailList({
  title,
  rows,
  empty,
}: {
  title: string;
  rows: readonly (readonly [string, string, ReactNode])[];
  empty?: string;
}) {
  return (
    <Box component="section" aria-label={title}>
      <Title order={3} size="h4" mb="xs">
        {title}
      </Title>
      {rows.length === 0 && <Text c="dimmed">{empty}</Text>}
      {rows.length > 0 && (
        <Table variant="vertical" layout="fixed">
          <Table.Tbody style={{ verticalAlign: 'top' }}>
            {rows.map(([key, label, value]) => (
              <Table.Tr key={key}>
                <Table.Th w="34%" scope="row">
                  {label}
                </Table.Th>
                <Table.Td style={{ whiteSpace: 'pre-wrap' }}>{value}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Box>
  );
}
