import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { WebhookHealthOut } from '@svcforms/contracts';
import { lazy, Suspense, useState } from 'react';
import { webhookHealthQuery, type Webhook } from '../../../api/webhooks.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Loading } from '../../../components/loading.tsx';
import { Outdated } from '../../../components/outdated.tsx';
import { webhooksTexts } from '../../../texts/webhooks.ts';
import { hourText, latencyText, rateText } from './health-format.ts';

const texts = webhooksTexts.health;

const HealthCharts = lazy(async () => ({ default: (await import('./health-charts.tsx')).HealthCharts }));

/**
 * Attempts, success rate and latency of a webhook: totals, charts by hour, and the same as a table.
 */
export function HealthPanel({ webhook }: { webhook: Webhook }) {
  const [days, setDays] = useState<1 | 7>(7);
  const health = useQuery({ ...webhookHealthQuery(webhook, days), placeholderData: keepPreviousData });
  const { data } = health;
  /** No attempts in the other period say nothing about this one. */
  const isUnknown = health.isPlaceholderData && data?.totals.attempts === 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title}>
      <Stack gap="md">
        <Group justify="space-between">
          <Title order={3} size="h4">
            {texts.title}
          </Title>
          <SegmentedControl
            aria-label={texts.period}
            value={String(days)}
            onChange={(value) => setDays(value === '1' ? 1 : 7)}
            data={[
              { value: '1', label: texts.periods.day },
              { value: '7', label: texts.periods.week },
            ]}
          />
        </Group>
        {(health.isPending || isUnknown) && <Loading />}
        {health.isError && !data && <FailureAlert error={health.error} retry={health.refetch} />}
        <Outdated when={health.isPlaceholderData && !isUnknown}>
          {data?.totals.attempts === 0 && !isUnknown && <Text c="dimmed">{texts.empty}</Text>}
          {data && data.totals.attempts > 0 && <Attempts health={data} />}
        </Outdated>
      </Stack>
    </Paper>
  );
}

function Attempts({ health: { totals, hours } }: { health: WebhookHealthOut }) {
  const facts = [
    [texts.attempts, totals.attempts.toLocaleString('en')],
    [texts.successRate, rateText(totals.successRate)],
    [texts.p50, latencyText(totals.p50Ms)],
    [texts.p95, latencyText(totals.p95Ms)],
  ] as const;
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <Text c="dimmed">{label}</Text>
            <Text size="xl" fw={700}>
              {value}
            </Text>
          </div>
        ))}
      </SimpleGrid>
      <Suspense fallback={<Loading />}>
        <HealthCharts hours={hours} />
      </Suspense>
      <details>
        <summary>{texts.table}</summary>
        <DataTable
          name={texts.tableName}
          keyOf={({ hour }) => hour}
          rows={hours.filter(({ attempts }) => attempts > 0).toReversed()}
          columns={[
            { label: texts.hour, cell: ({ hour }) => hourText(hour) },
            { label: texts.attempts, cell: ({ attempts }) => attempts, isNumber: true },
            { label: texts.failed, cell: ({ failed }) => failed, isNumber: true },
            { label: texts.successRate, cell: ({ successRate }) => rateText(successRate), isNumber: true },
            { label: texts.p50, cell: ({ p50Ms }) => latencyText(p50Ms), isNumber: true },
            { label: texts.p95, cell: ({ p95Ms }) => latencyText(p95Ms), isNumber: true },
          ]}
        />
      </details>
    </>
  );
}
