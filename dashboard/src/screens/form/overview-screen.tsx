import { Paper, SimpleGrid, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { statsQuery } from '../../api/forms.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { formTexts } from '../../texts/form.ts';
import { useSavedForm } from './layout/use-saved-form.ts';

const texts = formTexts.overview;
const DAYS = 30;
const DAY_MS = 86_400_000;
const COUNTS = ['shown', 'converted', 'declined', 'submissions'] as const;

const StatsChart = lazy(async () => ({ default: (await import('./stats-chart.tsx')).StatsChart }));

/** Statistics of the form by day. */
export function OverviewScreen() {
  const form = useSavedForm();
  const [from] = useState(() => new Date(Date.now() - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10));
  const stats = useQuery(statsQuery(form.id, from));
  const days = stats.data ?? [];
  return (
    <Page title={texts.title} of={form.name}>
      <Text c="dimmed">{texts.range(DAYS)}</Text>
      {stats.isPending && <Loading />}
      {stats.isError && <FailureAlert error={stats.error} retry={stats.refetch} />}
      {stats.data && (
        <>
          <SimpleGrid cols={{ base: 2, sm: 4 }}>
            {COUNTS.map((count) => (
              <Paper key={count} withBorder p="md">
                <Text c="dimmed">{texts[count]}</Text>
                <Text size="xl" fw={700}>
                  {days.reduce((sum, day) => sum + day[count], 0).toLocaleString('en')}
                </Text>
              </Paper>
            ))}
          </SimpleGrid>
          <Suspense fallback={<Loading />}>
            <StatsChart days={days} />
          </Suspense>
          <details>
            <summary>{texts.table}</summary>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{texts.day}</Table.Th>
                  {COUNTS.map((count) => (
                    <Table.Th key={count}>{texts[count]}</Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {days.map((day) => (
                  <Table.Tr key={day.date}>
                    <Table.Td>{day.date}</Table.Td>
                    {COUNTS.map((count) => (
                      <Table.Td key={count}>{day[count]}</Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </details>
        </>
      )}
    </Page>
  );
}
