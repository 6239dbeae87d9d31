import { Box, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { DeliveryDetailOut, DeliveryOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { isMissing } from '../../api/api-error.ts';
import { deliveryQuery, webhookQuery, type Webhook } from '../../api/webhooks.ts';
import { DetailList } from '../../components/detail-list.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Missing } from '../../components/missing.tsx';
import { exactTime } from '../../components/time-format.ts';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DeliveryBadge, outcomeOf } from '../../components/delivery-badge.tsx';
import { isRetryable, SubjectLink } from './delivery-columns.tsx';
import { DeliveryRequest } from './delivery-request.tsx';
import { useRedeliver } from './use-redeliver.ts';
import { WebhookLink } from '../../components/webhook-links.tsx';

const texts = webhooksTexts.delivery;

/**
 * One delivery with its attempts and their responses. `of`: the name of the form, or of the
 * settings.
 */
export function DeliveryDetail({
  of,
  webhook: to,
  deliveryId,
}: {
  of: string;
  webhook: Webhook;
  deliveryId: string;
}) {
  const webhook = useQuery(webhookQuery(to));
  const delivery = useQuery(deliveryQuery(to, deliveryId));
  const redeliver = useRedeliver(to);
  const isGone = isMissing(delivery.error);
  const data = isGone ? undefined : delivery.data;
  return (
    <Page
      title={isGone ? texts.missing.title : texts.title}
      of={of}
      actions={
        data &&
        webhook.data &&
        (isRetryable(webhook.data, data) || data.status === 'delivering') && (
          <Button
            disabled={data.status === 'delivering'}
            loading={redeliver.isPending}
            onClick={() => redeliver.mutate(data)}
          >
            {webhooksTexts.deliveries.redeliver}
          </Button>
        )
      }
    >
      <WebhookLink webhook={to} size="sm">
        {texts.back}
      </WebhookLink>
      {delivery.isPending && <Loading />}
      {isGone && <Missing text={texts.missing.text} />}
      {delivery.isError && !data && !isGone && (
        <FailureAlert error={delivery.error} retry={delivery.refetch} />
      )}
      {data && <Sections delivery={data} />}
    </Page>
  );
}

function Sections({ delivery }: { delivery: DeliveryDetailOut }) {
  const { id, eventId, eventType, submissionId, taskId } = delivery;
  const { status, createdAt, nextAttemptAt, attempts } = delivery;
  return (
    <>
      {delivery.isTest && <Text>{texts.test}</Text>}
      <DetailList
        title={texts.about}
        rows={[
          ['status', texts.status, <DeliveryBadge key="status" status={status} />],
          ...(nextAttemptAt
            ? [['next', texts.next, <Time key="next" at={nextAttemptAt} isPlanned />] as const]
            : []),
          ['event', texts.event, `${eventType}: ${webhooksTexts.events[eventType]}`],
          ...(submissionId !== undefined || taskId !== undefined
            ? [['subject', texts.subject, <SubjectLink key="subject" delivery={delivery} />] as const]
            : []),
          ['created', texts.created, exactTime(createdAt)],
          ['eventId', texts.eventId, eventId],
          ['id', texts.id, id],
        ]}
      />
      <Box component="section" aria-label={texts.attempts}>
        <Title order={3} size="h4" mb="xs">
          {texts.attempts}
        </Title>
        {attempts.length === 0 && <Text c="dimmed">{texts.noAttempts}</Text>}
        <Stack gap="sm">
          {attempts
            .map((attempt, index) => <Attempt key={attempt.at} attempt={attempt} number={index + 1} />)
            .toReversed()}
        </Stack>
      </Box>
      {delivery.request && <DeliveryRequest request={delivery.request} erasedAt={delivery.erasedAt} />}
    </>
  );
}

function Attempt({ attempt, number }: { attempt: DeliveryOut['attempts'][number]; number: number }) {
  const { at, durationMs, message, responseBody } = attempt;
  return (
    <Paper withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600}>
          {texts.attempt(number)}: {outcomeOf(attempt)}
        </Text>
        <Text c="dimmed">
          {exactTime(at)} · {texts.took(Math.round(durationMs))}
        </Text>
      </Group>
      {message && <Text mt="xs">{message}</Text>}
      {responseBody && (
        <Code
          block
          mt="xs"
          mah={320}
          tabIndex={0}
          role="region"
          aria-label={texts.body(number)}
          style={{ whiteSpace: 'pre-wrap', overflow: 'auto' }}
        >
          {responseBody}
        </Code>
      )}
    </Paper>
  );
}
