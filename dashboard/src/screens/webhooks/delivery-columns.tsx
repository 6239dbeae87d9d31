import { Box, Button, Checkbox, Group, Text } from '@mantine/core';
import type { DeliveryOut } from '@svcforms/contracts';
import type { AnyWebhook } from '../../api/webhooks.ts';
import type { Column } from '../../components/data-table.tsx';
import { TextLink } from '../../components/links.tsx';
import { ProgramName } from '../../components/name-list.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Time } from '../../components/time.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { DeliveryBadge, outcomeOf } from '../../components/delivery-badge.tsx';
import { DeliveryLink } from '../../components/webhook-links.tsx';

const texts = webhooksTexts.deliveries;

/** Whether the delivery can be sent again. A test event is sent once. */
export const isRetryable = (webhook: AnyWebhook, { status, isTest, erasedAt }: DeliveryOut): boolean =>
  webhook.isEnabled && !isTest && !erasedAt && status !== 'delivering';

/** The columns of the deliveries of a webhook. */
export function deliveryColumns(
  webhook: AnyWebhook,
  selection: { has: (delivery: DeliveryOut) => boolean; toggle: (delivery: DeliveryOut) => void },
  redeliver: (delivery: DeliveryOut) => void,
): Column<DeliveryOut>[] {
  return [
    {
      label: texts.columns.event,
      cell: (delivery) => (
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {webhook.isEnabled && (
            <Checkbox
              aria-label={texts.select(delivery.id)}
              checked={selection.has(delivery)}
              disabled={!isRetryable(webhook, delivery)}
              onChange={() => selection.toggle(delivery)}
            />
          )}
          <Box>
            <Group gap="xs" wrap="nowrap">
              <DeliveryLink webhook={webhook} deliveryId={delivery.id}>
                <ProgramName name={delivery.eventType} />
              </DeliveryLink>
              {delivery.isTest && <StatusBadge tone="neutral">{texts.test}</StatusBadge>}
            </Group>
            <SubjectLink delivery={delivery} />
          </Box>
        </Group>
      ),
    },
    { label: texts.columns.status, cell: ({ status }) => <DeliveryBadge status={status} /> },
    { label: texts.columns.attempts, cell: ({ attempts }) => attempts.length, isNumber: true },
    { label: texts.columns.response, cell: ({ attempts }) => <LastAttempt attempt={attempts.at(-1)} /> },
    { label: texts.columns.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      label: texts.columns.next,
      cell: ({ nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} isPlanned />,
    },
    ...(webhook.isEnabled
      ? [
          {
            label: texts.columns.actions,
            cell: (delivery: DeliveryOut) =>
              isRetryable(webhook, delivery) && (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={texts.redeliverOf(delivery.id)}
                  onClick={() => redeliver(delivery)}
                >
                  {texts.redeliver}
                </Button>
              ),
          },
        ]
      : []),
  ];
}

function LastAttempt({ attempt }: { attempt: DeliveryOut['attempts'][number] | undefined }) {
  return (
    attempt && (
      <>
        <Text>{outcomeOf(attempt)}</Text>
        <Text c="dimmed">{webhooksTexts.delivery.took(Math.round(attempt.durationMs))}</Text>
      </>
    )
  );
}

/** Links to the task or the submission of a delivery's event. Renders nothing if it has none. */
export function SubjectLink({ delivery }: { delivery: DeliveryOut }) {
  const { formId, submissionId, taskId } = delivery;
  if (taskId !== undefined)
    return (
      <TextLink to="/tasks/$taskId" params={{ taskId }}>
        {texts.task}
      </TextLink>
    );
  if (submissionId === undefined) return null;
  return (
    <TextLink to="/forms/$formId/submissions/$submissionId" params={{ formId, submissionId }}>
      {texts.submission}
    </TextLink>
  );
}
