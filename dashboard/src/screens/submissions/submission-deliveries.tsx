import { Box, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { submissionDeliveriesQuery } from '../../api/submissions.ts';
import { webhookListQuery } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Time } from '../../components/time.tsx';
import { submissionsTexts } from '../../texts/submissions.ts';
import { DeliveryBadge, outcomeOf } from '../../components/delivery-badge.tsx';
import { DeliveryLink } from '../../components/webhook-links.tsx';

const texts = submissionsTexts.deliveries;

/** Where the submission was sent, and with what result. */
export function SubmissionDeliveries({ formId, submissionId }: { formId: string; submissionId: string }) {
  const deliveries = useQuery(submissionDeliveriesQuery(submissionId));
  const ofAccount = useQuery(webhookListQuery());
  const accountIds = new Set(ofAccount.data?.map(({ id }) => id));
  const ofForm = useQuery(webhookListQuery(formId));
  const urls = new Map([...(ofAccount.data ?? []), ...(ofForm.data ?? [])].map(({ id, url }) => [id, url]));
  return (
    <Box component="section" aria-label={texts.title}>
      <Title order={3} size="h4" mb="xs">
        {texts.title}
      </Title>
      {deliveries.isError && <FailureAlert error={deliveries.error} retry={deliveries.refetch} />}
      {deliveries.data?.length === 0 && <Text c="dimmed">{texts.none}</Text>}
      <Stack gap="xs" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {deliveries.data?.map((delivery) => {
          const last = delivery.attempts.at(-1);
          const { webhookId } = delivery;
          const webhook = accountIds.has(webhookId) ? { id: webhookId } : { id: webhookId, formId };
          return (
            <Group key={delivery.id} component="li" gap="sm" justify="space-between">
              <Box>
                <DeliveryLink webhook={webhook} deliveryId={delivery.id}>
                  {delivery.eventType}
                </DeliveryLink>
                {urls.has(webhookId) && <Text>{urls.get(webhookId)}</Text>}
                <Text c="dimmed">
                  {last && `${outcomeOf(last)} · `}
                  <Time at={last?.at ?? delivery.createdAt} />
                </Text>
              </Box>
              <DeliveryBadge status={delivery.status} />
            </Group>
          );
        })}
      </Stack>
    </Box>
  );
}
