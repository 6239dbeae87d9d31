import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { pendingRetriesQuery, recoverableQuery, type AnyWebhook } from '../../api/webhooks.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Time } from '../../components/time.tsx';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { sinceOf } from './recover-dialog.tsx';
import { useRetryNow } from './use-retry-now.ts';
import { HeldLink } from '../../components/webhook-links.tsx';

const texts = webhooksTexts.disabled;

/** A warning while the webhook is disabled or failing, with the reason and the way to fix it. */
export function WebhookState({
  webhook,
  isEnabling,
  onEnable,
}: {
  webhook: AnyWebhook;
  isEnabling: boolean;
  onEnable: () => void;
}) {
  const { isEnabled, disabledReason, disabledAt, failingSince, consecutiveFailures, lastStatus } = webhook;
  const recoverable = useQuery({
    ...recoverableQuery(webhook, { since: sinceOf(webhook) }),
    enabled: !isEnabled,
    refetchInterval: 10_000,
  });
  if (isEnabled && !failingSince) return null;
  const failures = consecutiveFailures > 0 && (
    <Text>
      {texts.failed(consecutiveFailures)}{' '}
      {lastStatus === null ? texts.noStatus : texts.lastStatus(lastStatus)}
    </Text>
  );
  if (isEnabled) {
    return (
      <Alert
        variant="outline"
        color="orange"
        title={webhooksTexts.failing.title}
        icon={<IconAlertTriangle aria-hidden />}
      >
        <Text>{webhooksTexts.failing.text}</Text>
        {failures}
        <Since at={failingSince} />
        <RetryFailing webhook={webhook} />
      </Alert>
    );
  }
  const reason = disabledReason ?? 'manual';
  return (
    <Alert
      variant="outline"
      color={reason === 'manual' ? 'gray' : 'red'}
      title={texts[reason]}
      icon={<IconPlayerPause aria-hidden />}
    >
      <Text>{texts[`${reason}Text`]}</Text>
      {failures}
      <Since at={disabledAt} />
      {recoverable.data !== undefined && recoverable.data > 0 && (
        <Text fw={600}>{texts.recoverable(recoverable.data)}</Text>
      )}
      <Group mt="sm" gap="xs">
        <Button loading={isEnabling} onClick={onEnable}>
          {texts.turnOn}
        </Button>
        {reason === 'failures' && <HeldLink webhook={webhook}>{texts.showHeld}</HeldLink>}
      </Group>
    </Alert>
  );
}

/** Makes the deliveries that wait for their next attempt due now. */
function RetryFailing({ webhook }: { webhook: AnyWebhook }) {
  const { data } = useQuery(pendingRetriesQuery(webhook));
  const retry = useRetryNow(webhook);
  return (
    <>
      <FailureAlert error={retry.error} />
      {data?.failing.length === 0 && !data.areAll && <Text>{webhooksTexts.recover.noneAmongNewest}</Text>}
      {data && data.failing.length > 0 && (
        <Group mt="sm" gap="xs">
          <Button loading={retry.isPending} onClick={() => retry.mutate(data.failing)}>
            {webhooksTexts.failing.retryNow}
          </Button>
          <Text>
            {webhooksTexts.recover[data.areAll ? 'pending' : 'pendingAtLeast'](data.failing.length)}
          </Text>
        </Group>
      )}
    </>
  );
}

function Since({ at }: { at: string | null }) {
  return (
    at && (
      <Text>
        {texts.since}: <Time at={at} />
      </Text>
    )
  );
}
