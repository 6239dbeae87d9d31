import { Box, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { DeliveryOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { deliveryQuery, webhookQuery } from '../../api/webhooks.ts';
import { DetailList } from '../../components/detail-list.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { exactTime } from '../../components/time-format.ts';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { DeliveryBadge, outcomeOf } from './delivery-badge.tsx';
import { useRedeliver } from './use-redeliver.ts';

const texts = webhooksTexts.delivery;

/** One delivery with its attempts and their responses. */
export function DeliveryScreen() {
  const form = useSavedForm();
  const params = useParams({ from: '/shell/forms/$formId/webhooks/$webhookId/deliveries/$deliveryId' });
  const of = { formId: form.id, id: params.webhookId };
  const webhook = useQuery(webhookQuery(of));
  const delivery = useQuery(deliveryQuery(of, params.deliveryId));
  const redeliver = useRedeliver(of);
  const { data } = delivery;
  return (
    <Page
      title={texts.title}
      of={form.name}
      actions={
        data &&
        webhook.data?.isEnabled && (
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
      <TextLink
        to="/forms/$formId/webhooks/$webhookId"
        params={{ formId: form.id, webhookId: params.webhookId }}
        size="sm"
      >
        {texts.back}
      </TextLink>
      {delivery.isPending && <Loading />}
      {delivery.isError && !data && <FailureAlert error={delivery.error} retry={delivery.refetch} />}
      {data && <Sections delivery={data} />}
    </Page>
  );
}

function Sections({ delivery }: { delivery: DeliveryOut }) {
  const { id, eventId, eventType, status, createdAt, nextAttemptAt, attempts } = delivery;
  return (
    <>
      <DetailList
        title={texts.about}
        rows={[
          ['status', texts.status, <DeliveryBadge key="status" status={status} />],
          ...(nextAttemptAt ? [['next', texts.next, <Time key="next" at={nextAttemptAt} />] as const] : []),
          ['event', texts.event, `${eventType}: ${webhooksTexts.events[eventType]}`],
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
    </>
  );
}

function Attempt({ attempt, number }: { attempt: DeliveryOut['attempts'][number]; number: number }) {
  const { at, durationMs, responseBody } = attempt;
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
