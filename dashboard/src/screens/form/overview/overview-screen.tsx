import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { isPopup, type StatsOut } from '@svcforms/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { statsQuery } from '../../../api/forms.ts';
import { useHasScope } from '../../../api/session.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Loading } from '../../../components/loading.tsx';
import { Outdated } from '../../../components/outdated.tsx';
import { Page } from '../../../components/page.tsx';
import { formTexts } from '../../../texts/form.ts';
import { useSavedForm } from '../layout/use-saved-form.ts';
import { ScriptLastSeen } from '../layout/script-last-seen.tsx';
import { FirstSteps, useFirstSteps } from './first-steps.tsx';
import { PeriodInput } from './period-input.tsx';
import { periodBefore, periodOf, periodProblem } from './period.ts';
import {
  conversionRate,
  countChange,
  countsOf,
  rateChange,
  rateText,
  totalsOf,
  type Count,
  type Totals,
} from './totals.ts';

const texts = formTexts.overview;
/** The API counts days in UTC. */
const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const AnswerSummary = lazy(async () => ({
  default: (await import('./answer-summary.tsx')).AnswerSummary,
}));
const StatsChart = lazy(async () => ({ default: (await import('./stats-chart.tsx')).StatsChart }));

/** Whether the form works: its counts in a period, compared with the period before. */
export function OverviewScreen() {
  const form = useSavedForm();
  const search = useSearch({ from: '/shell/forms/$formId/' });
  const navigate = useNavigate();
  const [today] = useState(() => new Date().toISOString().slice(0, 10));
  const period = periodOf(search, today);
  const before = periodBefore(period);
  const enabled = periodProblem(period, today) === null;
  const maySeeAnswers = useHasScope('submissions:read');
  const options = { enabled, placeholderData: keepPreviousData };
  const stats = useQuery({ ...statsQuery(form.id, period), ...options });
  const earlier = useQuery({ ...statsQuery(form.id, before), ...options });
  const counts = countsOf(isPopup(form.settings), [...(stats.data ?? []), ...(earlier.data ?? [])]);
  const failed = stats.isError ? stats : earlier;
  const firstSteps = useFirstSteps(form, today);
  // Nothing moves what the user already reads.
  if (firstSteps === undefined) {
    return (
      <Page title={texts.title} of={form.name}>
        <Loading shape="chart" />
      </Page>
    );
  }
  return (
    <Page title={texts.title} of={form.name}>
      {firstSteps && <FirstSteps formId={form.id} steps={firstSteps} />}
      <ScriptLastSeen formId={form.id} waits={firstSteps !== null && !firstSteps.isDone.embed} />
      <Group justify="space-between">
        <PeriodInput
          search={search}
          period={period}
          today={today}
          onChange={(changed) =>
            void navigate({
              to: '/forms/$formId',
              params: { formId: form.id },
              search: changed,
              replace: true,
            })
          }
        />
        {enabled && (
          <Text c="dimmed">
            {texts.compared(
              DAY.formatRange(new Date(period.from), new Date(period.to)),
              DAY.formatRange(new Date(before.from), new Date(before.to)),
            )}
          </Text>
        )}
      </Group>
      {enabled && (stats.isPending || earlier.isPending) && <Loading shape="chart" />}
      {failed.isError && <FailureAlert error={failed.error} retry={failed.refetch} />}
      {enabled && stats.data && earlier.data && (
        <>
          <Outdated when={stats.isPlaceholderData || earlier.isPlaceholderData}>
            <TotalCards counts={counts} now={totalsOf(stats.data)} before={totalsOf(earlier.data)} />
            <Suspense fallback={<Loading shape="chart" />}>
              <StatsChart days={stats.data} counts={counts} />
            </Suspense>
            <details>
              <summary>{texts.table}</summary>
              <DataTable
                name={texts.tableName}
                keyOf={({ date }) => date}
                rows={stats.data.toReversed()}
                columns={[
                  { label: texts.day, cell: ({ date }) => date },
                  ...counts.map((count) => ({
                    label: texts[count],
                    cell: (day: StatsOut[number]) => (day[count] ?? 0).toLocaleString('en'),
                    isNumber: true,
                  })),
                ]}
              />
            </details>
          </Outdated>
          {maySeeAnswers && (
            <Suspense fallback={<Loading />}>
              <AnswerSummary form={form} period={period} />
            </Suspense>
          )}
        </>
      )}
    </Page>
  );
}

function TotalCards({ counts, now, before }: { counts: readonly Count[]; now: Totals; before: Totals }) {
  const [rate, rateBefore] = [conversionRate(now), conversionRate(before)];
  const cards = [
    ...counts.map(
      (count) =>
        [texts[count], now[count].toLocaleString('en'), countChange(now[count], before[count])] as const,
    ),
    [texts.rate, rateText(rate), rateChange(rate, rateBefore, counts)] as const,
  ];
  return (
    <SimpleGrid
      cols={{ base: 2, sm: 3, md: Math.min(5, cards.length), lg: cards.length }}
      spacing={{ base: 'sm', lg: 'md' }}
    >
      {cards.map(([label, value, change]) => (
        <Paper key={label} withBorder p="md" role="group" aria-label={label}>
          <Text c="dimmed">{label}</Text>
          <Text size="xl" fw={700}>
            {value}
          </Text>
          <Text size="sm" c="dimmed">
            {change}
          </Text>
        </Paper>
      ))}
    </SimpleGrid>
  );
}
