import { Button, Group, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isMissing } from '../../api/api-error.ts';
import { atOnce } from '../../api/at-once.ts';
import {
  updateWebhook,
  deleteWebhook,
  invalidateWebhook,
  webhookListQuery,
  webhookQuery,
  type AnyWebhook,
  type DeliveryFilters,
  type Webhook,
} from '../../api/webhooks.ts';
import { DeleteButton } from '../../components/delete-button.tsx';
import { DetailList } from '../../components/detail-list.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Missing } from '../../components/missing.tsx';
import { exactTime } from '../../components/time-format.ts';
import { Page } from '../../components/page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { toastSuccess, toastUndo } from '../../components/toast.tsx';
import { payloadTexts } from '../../texts/payload.ts';
import { webhooksTexts } from '../../texts/webhooks.ts';
import { Deliveries } from './deliveries.tsx';
import { hiddenValue } from './header-rows.ts';
import { PublicKeyPanel } from './public-key-panel.tsx';
import { NameList } from '../../components/name-list.tsx';
import { FilterPanel } from './filters/filter-panel.tsx';
import { HealthPanel } from './health/health-panel.tsx';
import { RecoverDialog, sinceOf } from './recover-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestPanel } from './test-panel.tsx';
import { VerificationPanel } from './verification-panel.tsx';
import { WebhookForms } from './webhook-forms.tsx';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { useShowWebhooks, WebhooksLink } from '../../components/webhook-links.tsx';
import { webhookHost, webhookName } from './webhook-name.ts';
import { WebhookState } from './webhook-state.tsx';

const texts = webhooksTexts.detail;

/**
 * One webhook with its status, actions and deliveries. `of`: the name of the form, or of the
 * settings.
 */
export function WebhookDetail({
  of,
  webhook: { id, formId },
  filters,
  onFilter,
}: {
  of: string;
  webhook: Webhook;
  filters: DeliveryFilters;
  onFilter: (filters: DeliveryFilters) => void;
}) {
  const webhook = useQuery(webhookQuery({ id, formId }));
  const isGone = isMissing(webhook.error);
  const data = isGone ? undefined : webhook.data;
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'recover' | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const close = () => setDialog(null);
  const setEnabled = useSetEnabled({ id, formId }, () => setDialog('recover'));

  return (
    <Page
      // While it loads, and after it failed to, only the kind is known.
      title={isGone ? texts.missing.title : data ? webhookName(data.url) : texts.title}
      // The path is often a secret, which must not get into the history of the browser.
      documentTitle={data && webhookHost(data.url)}
      of={of}
      actions={data && <Actions webhook={data} onDialog={setDialog} />}
    >
      <WebhooksLink formId={formId}>{texts.back}</WebhooksLink>
      {data && (
        <Group gap="sm" justify="space-between">
          <WebhookBadge webhook={data} />
          <Switch
            label={texts.on}
            checked={data.isEnabled}
            onChange={({ currentTarget }) =>
              setEnabled.mutate({ webhook: data, isEnabled: currentTarget.checked })
            }
          />
        </Group>
      )}
      {webhook.isPending && <Loading />}
      {isGone && <Missing text={texts.missing.text} />}
      {webhook.isError && !data && !isGone && <FailureAlert error={webhook.error} retry={webhook.refetch} />}
      {data && (
        <Stack gap="lg">
          <WebhookState
            webhook={data}
            isEnabling={setEnabled.isPending}
            onEnable={() => setEnabled.mutate({ webhook: data, isEnabled: true })}
          />
          <Deliveries key={data.id} webhook={data} filters={filters} onFilter={onFilter} />
          <HealthPanel webhook={data} />
          <TestPanel key={data.id} webhook={data} />
          <DetailList title={texts.about} rows={factsOf(data)} />
          {data.filter && <FilterPanel webhook={data} filter={data.filter} />}
          <VerificationPanel />
          {data.publicKey && <PublicKeyPanel publicKey={data.publicKey} />}
          {dialog === 'edit' && <WebhookDialog formId={formId} webhook={data} onClose={close} />}
          {dialog === 'rotate' && (
            <RotateDialog
              webhook={data}
              onClose={close}
              onRotated={(rotated) =>
                rotated === null ? toastSuccess(webhooksTexts.lost) : setSecret(rotated)
              }
            />
          )}
          {dialog === 'recover' && <RecoverDialog webhook={data} since={sinceOf(data)} onClose={close} />}
          <SecretDialog
            title={webhooksTexts.rotate.doneTitle}
            label={webhooksTexts.secretOf(data.url)}
            secret={secret}
            onDone={() => setSecret(null)}
          />
        </Stack>
      )}
    </Page>
  );
}

/**
 * Enables or disables the webhook, at once. Offers to send held deliveries after it is enabled
 * again.
 */
function useSetEnabled({ id, formId }: Webhook, onHeld: () => void) {
  const queryClient = useQueryClient();
  const setEnabled = useMutation({
    mutationFn: ({ webhook, isEnabled }: { webhook: AnyWebhook; isEnabled: boolean }) =>
      updateWebhook(webhook, { isEnabled }),
    ...atOnce<AnyWebhook, { isEnabled: boolean }>(
      queryClient,
      [webhookListQuery(formId).queryKey],
      (one, to) => (one.id === id ? { ...one, isEnabled: to.isEnabled, disabledReason: null } : one),
    ),
    async onSuccess(changed, { webhook, isEnabled }) {
      queryClient.setQueryData(webhookQuery(webhook).queryKey, changed);
      if (isEnabled && webhook.disabledReason === 'failures') {
        toastSuccess(webhooksTexts.disabled.turnedOn);
        onHeld();
      } else
        toastUndo(isEnabled ? webhooksTexts.disabled.turnedOn : webhooksTexts.disabled.turnedOff, () =>
          setEnabled.mutate({ webhook: changed, isEnabled: !isEnabled }),
        );
      await invalidateWebhook(queryClient, webhook);
    },
  });
  return setEnabled;
}

function Actions({
  webhook,
  onDialog,
}: {
  webhook: AnyWebhook;
  onDialog: (dialog: 'edit' | 'rotate' | 'recover') => void;
}) {
  const queryClient = useQueryClient();
  const { showWebhooks } = useShowWebhooks();
  const remove = useMutation({
    mutationFn: () => deleteWebhook(webhook),
    async onSuccess() {
      toastSuccess(texts.removed);
      await showWebhooks(webhook.formId);
      queryClient.removeQueries({ queryKey: webhookQuery(webhook).queryKey });
      await invalidateWebhook(queryClient, webhook);
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => onDialog('edit')}>
        {texts.edit}
      </Button>
      <Button variant="default" onClick={() => onDialog('rotate')}>
        {texts.rotate}
      </Button>
      {webhook.isEnabled && (
        <Button variant="default" onClick={() => onDialog('recover')}>
          {texts.recover}
        </Button>
      )}
      <DeleteButton
        loading={remove.isPending}
        question={{
          title: texts.removeTitle,
          text: texts.removeText(webhook.url),
          confirm: texts.remove,
          onConfirm: () => remove.mutate(),
        }}
      />
    </>
  );
}

function factsOf(webhook: AnyWebhook) {
  const { url, formId, forms, description, events, payload, headers, secretLast4 } = webhook;
  const { rateLimitPerSecond, lastAttemptAt, lastStatus, createdAt } = webhook;
  const response = lastStatus === null ? texts.noResponse : texts.lastResponse(lastStatus);
  return [
    ['url', texts.url, url],
    ...(description ? [['description', webhooksTexts.description, description] as const] : []),
    ...(formId === undefined
      ? [['forms', webhooksTexts.account.forms, <WebhookForms key="forms" ids={forms} />] as const]
      : []),
    ['events', texts.events, <NameList key="events" names={events} />],
    ...(rateLimitPerSecond ? [['rate', webhooksTexts.rateLimit, rateLimitPerSecond] as const] : []),
    ...(payload
      ? [['payload', payloadTexts.format, payloadTexts.formats[payload.format].label] as const]
      : []),
    ['secret', texts.secret, secretLast4],
    ...headers.map(
      (header) => [`header ${header.name}`, texts.header(header.name), hiddenValue(header)] as const,
    ),
    [
      'last',
      texts.last,
      lastAttemptAt ? `${exactTime(lastAttemptAt)}, ${response}` : webhooksTexts.neverSent,
    ],
    ['created', texts.created, exactTime(createdAt)],
  ] as const;
}
