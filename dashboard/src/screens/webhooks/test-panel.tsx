import { Alert, Button, Group, NativeSelect, Paper, Stack, Text, Title } from '@mantine/core';
import type { EventType, WebhookTestOut } from '@svcforms/contracts';
import { IconSend } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { testWebhook, type AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { filterTexts } from '../../texts/webhook-filters.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { eventTypesFor } from './event-types.ts';
import { DeliveryLink } from '../../components/webhook-links.tsx';

const texts = webhooksTexts.test;

/** Sends a test event and shows its result. */
export function TestPanel({ webhook }: { webhook: AnyWebhook }) {
  const [eventType, setEventType] = useState<EventType>(webhook.events[0] ?? 'form.submission.new');
  const test = useMutation({
    mutationFn: () => testWebhook(webhook, { eventType }),
    meta: { showsError: true },
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.title}>
      <Stack gap="sm">
        <Title order={3} size="h4">
          {texts.title}
        </Title>
        <Text>{texts.text}</Text>
        <Group align="flex-end">
          <NativeSelect
            label={texts.event}
            value={eventType}
            data={eventTypesFor(webhook)}
            onChange={({ currentTarget }) => setEventType(currentTarget.value as EventType)}
          />
          <Button
            variant="default"
            leftSection={<IconSend size={16} aria-hidden />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            {texts.send}
          </Button>
        </Group>
        <FailureAlert error={test.error} />
        {test.data && <Outcome webhook={webhook} result={test.data} />}
      </Stack>
    </Paper>
  );
}

function Outcome({ webhook, result }: { webhook: AnyWebhook; result: WebhookTestOut }) {
  const { deliveryId, delivered, status, durationMs, error, message, passesFilter } = result;
  const verdict = delivered
    ? texts.delivered
    : status === null
      ? (webhooksTexts.errors[error ?? ''] ?? error)
      : texts.refused;
  return (
    <Alert role="status" variant="outline" color={delivered ? 'teal' : 'red'}>
      <Text fw={600}>{verdict}</Text>
      {message && <Text>{message}</Text>}
      {status !== null && <Text>{texts.response(status, Math.round(durationMs))}</Text>}
      {passesFilter === false && <Text>{filterTexts.test}</Text>}
      <DeliveryLink webhook={webhook} deliveryId={deliveryId}>
        {texts.show}
      </DeliveryLink>
    </Alert>
  );
}
