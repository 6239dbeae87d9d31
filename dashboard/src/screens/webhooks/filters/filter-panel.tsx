import { Paper, Stack, Text, Title } from '@mantine/core';
import type { WebhookFilter } from '@svcforms/contracts';
import type { AnyWebhook } from '../../../api/webhooks.ts';
import { exactTime } from '../../../components/time-format.ts';
import { filterTexts as texts } from '../../../texts/webhook-filters.ts';
import { FilterPreview } from './filter-preview.tsx';
import { filterWords } from './filter-words.ts';
import { usePathChoices } from './use-path-choices.ts';

/** The filter of a webhook in words, what it excluded, and what it does with recent events. */
export function FilterPanel({ webhook, filter }: { webhook: AnyWebhook; filter: WebhookFilter }) {
  const { formId, events, forms = null, filteredCount = 0, lastFilteredAt } = webhook;
  const filtered = { formId, events, forms };
  const choices = usePathChoices(filtered);
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text style={{ wordBreak: 'break-word' }}>
          {filterWords(filter, [...choices.fields, ...choices.event])}
        </Text>
        <Text>
          {texts.filtered}: {texts.filteredSince(filteredCount)}
          {lastFilteredAt && texts.filteredLast(exactTime(lastFilteredAt))}
        </Text>
        <FilterPreview filter={filter} webhook={filtered} choices={choices} />
      </Stack>
    </Paper>
  );
}
