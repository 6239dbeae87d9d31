import { Alert, Box, Code, NativeSelect, Stack, Text } from '@mantine/core';
import type { EventType, PayloadError, PayloadPreviewOut } from '@svcforms/contracts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { recentEventsQuery } from '../../api/payload-preview.ts';
import type { AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { exactTime } from '../../components/time-format.ts';
import { payloadTexts } from '../../texts/payload.ts';
import { eventTypesFor } from './event-types.ts';

const texts = payloadTexts.preview;

interface ChosenEvent {
  deliveryId?: string;
  eventType?: EventType;
}

/** The request body for a recent or a sample event, or why there would be none. */
export function PayloadPreview({
  formId,
  webhook,
  event,
  onEvent,
  preview,
  isPretty,
}: {
  formId: string | undefined;
  webhook: AnyWebhook | null;
  event: ChosenEvent;
  onEvent: (event: ChosenEvent) => void;
  preview: UseQueryResult<PayloadPreviewOut>;
  /** Whether to indent the body, which nobody wrote. */
  isPretty: boolean;
}) {
  const recent = useQuery(recentEventsQuery(formId, webhook));
  const types = eventTypesFor({ formId });
  const { data } = preview;
  return (
    <Stack gap="xs" component="section" aria-label={texts.title}>
      <NativeSelect
        label={texts.event}
        value={event.deliveryId ?? event.eventType ?? types[0] ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onEvent(value.startsWith('del_') ? { deliveryId: value } : { eventType: value as EventType })
        }
        data={[
          ...(recent.data ?? []).map(({ id, eventType, createdAt }) => ({
            value: id,
            label: texts.recent(eventType, exactTime(createdAt)),
          })),
          ...types.map((type) => ({ value: type, label: texts.sample(type) })),
        ]}
      />
      <FailureAlert error={preview.error} />
      {preview.isLoading && <Text c="dimmed">{texts.loading}</Text>}
      {data?.error && (
        <Alert role="status" variant="outline" color="red" title={texts.failed}>
          {/* The template shows its own errors, at their lines. */}
          {data.error.in === 'body' && bodyError(data.error)}
        </Alert>
      )}
      {data?.body != null && (
        <Box>
          <Text size="sm" c="dimmed">
            {texts.size(data.contentType, new TextEncoder().encode(data.body).length)}
          </Text>
          <Code
            block
            mah={400}
            tabIndex={0}
            role="region"
            aria-label={texts.body}
            style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', overflow: 'auto' }}
          >
            {isPretty && !data.error ? indented(data.body) : data.body}
          </Code>
        </Box>
      )}
    </Stack>
  );
}

function bodyError({ message, line, column }: PayloadError): string {
  if (line === undefined || column === undefined) return message;
  return `${payloadTexts.at(line, column)} ${texts.inBody}: ${message}`;
}

function indented(body: string): string {
  return JSON.stringify(JSON.parse(body), null, 2);
}
