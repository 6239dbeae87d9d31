import { Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type FieldSummary, type FormField, type FormOut } from '@svcforms/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { fieldLabel, optionLabel } from '../../../components/field-labels.ts';
import { summaryQuery } from '../../../api/forms.ts';
import { FailureAlert } from '../../../components/failure-alert.tsx';
import { Outdated } from '../../../components/outdated.tsx';
import { formTexts } from '../../../texts/form.ts';

const texts = formTexts.overview.answers;
/** Two decimals, or two digits of a number that would have fewer, as the summary has them. */
const NUMBER = new Intl.NumberFormat('en', {
  maximumFractionDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: 'morePrecision',
});

/** The answers to each question, and the pages and devices they came from. */
export function AnswerSummary({ form, period }: { form: FormOut; period: { from: string; to: string } }) {
  const summary = useQuery({ ...summaryQuery(form.id, period), placeholderData: keepPreviousData });
  if (summary.isError && !summary.data) return <FailureAlert error={summary.error} retry={summary.refetch} />;
  if (!summary.data || summary.data.submissions === 0) return null;
  const { submissions, isComplete, fields, pages, devices } = summary.data;
  const answered = fields.filter((field) => field.answered > 0);
  return (
    <Outdated when={summary.isPlaceholderData}>
      <Stack gap="sm" component="section" aria-label={texts.title}>
        <Group justify="space-between">
          <Title order={3} size="h4">
            {texts.title}
          </Title>
          <Text c="dimmed">{isComplete ? texts.of(submissions) : texts.ofNewest(submissions)}</Text>
        </Group>
        {answered.length + pages.length + devices.length === 0 && <Text c="dimmed">{texts.none}</Text>}
        <SimpleGrid cols={{ base: 1, md: 2 }} style={{ alignItems: 'start' }}>
          {answered.map((summarized) => (
            <FieldCard
              key={summarized.name}
              field={form.fields.find(({ name }) => name === summarized.name)}
              summary={summarized}
            />
          ))}
          {pages.length > 0 && (
            <Card title={texts.pages}>
              <Bars bars={pages.map(({ page, count }) => ({ label: page, count }))} />
            </Card>
          )}
          {devices.length > 0 && (
            <Card title={texts.devices}>
              <Bars bars={devices.map(({ device, count }) => ({ label: texts.device[device], count }))} />
            </Card>
          )}
        </SimpleGrid>
      </Stack>
    </Outdated>
  );
}

function FieldCard({ field, summary }: { field: FormField | undefined; summary: FieldSummary }) {
  const { name, answered, choices, numbers, nps } = summary;
  const label = fieldLabel(field ?? { name });
  const isRating = field?.type === 'rating';
  return (
    <Card title={label} note={texts.answered(answered)}>
      {nps && (
        <Group gap="lg">
          <Fact label={texts.nps} value={NUMBER.format(nps.score)} />
          <Fact label={texts.promoters} value={NUMBER.format(nps.promoters)} />
          <Fact label={texts.passives} value={NUMBER.format(nps.passives)} />
          <Fact label={texts.detractors} value={NUMBER.format(nps.detractors)} />
        </Group>
      )}
      {numbers && (
        <Group gap="lg">
          <Fact label={texts.mean} value={NUMBER.format(numbers.mean)} />
          <Fact label={texts.median} value={NUMBER.format(numbers.median)} />
          <Fact label={texts.min} value={NUMBER.format(numbers.min)} />
          <Fact label={texts.max} value={NUMBER.format(numbers.max)} />
        </Group>
      )}
      {choices && (
        <Bars
          bars={(isRating ? choices.toSorted((a, b) => Number(b.value) - Number(a.value)) : choices).map(
            ({ value, count }) => ({ label: choiceLabel(field, value), count }),
          )}
          of={answered}
        />
      )}
    </Card>
  );
}

function choiceLabel(field: FormField | undefined, value: string): string {
  if (field?.type === 'checkbox' || field?.type === 'consent') return value === 'true' ? texts.yes : texts.no;
  const option = field?.options?.find((one) => one.value === value);
  return option ? optionLabel(option) : value;
}

function Card({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" role="group" aria-label={title} miw={0}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Text fw={600}>{title}</Text>
          {note && (
            <Text c="dimmed" style={{ flex: 'none' }}>
              {note}
            </Text>
          )}
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {label}
      </Text>
      <Text fw={600} size="lg">
        {value}
      </Text>
    </div>
  );
}

/** `of`: what is 100 %. Default: all bars together. */
function Bars({ bars, of }: { bars: readonly { label: string; count: number }[]; of?: number }) {
  const whole = of ?? bars.reduce((sum, { count }) => sum + count, 0);
  return (
    <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
      {bars.map(({ label, count }) => {
        const percent = Math.round((count / Math.max(1, whole)) * 100);
        return (
          <li key={label}>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text lineClamp={2}>{label}</Text>
              <Text c="dimmed" style={{ flex: 'none', fontVariantNumeric: 'tabular-nums' }}>
                {texts.share(count, percent)}
              </Text>
            </Group>
            <Progress value={percent} size="sm" aria-hidden />
          </li>
        );
      })}
    </Stack>
  );
}
