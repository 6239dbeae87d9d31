import { Button, Text } from '@mantine/core';
import type { WebhookOut } from '@svcforms/contracts';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookListQuery } from '../../api/webhooks.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { TextLink } from '../../components/links.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { Time } from '../../components/time.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const COLUMNS: readonly Column<WebhookOut>[] = [
  {
    label: texts.columns.url,
    cell: ({ id, formId, url, description }) => (
      <>
        <TextLink to="/forms/$formId/webhooks/$webhookId" params={{ formId, webhookId: id }}>
          {url}
        </TextLink>
        {description && <Text c="dimmed">{description}</Text>}
      </>
    ),
  },
  { label: texts.columns.events, cell: ({ events }) => events.join(', ') },
  { label: texts.columns.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
  {
    label: texts.columns.last,
    cell: ({ lastAttemptAt, lastStatus }) =>
      lastAttemptAt ? (
        <>
          <Time at={lastAttemptAt} /> · {lastStatus ?? texts.detail.noResponse}
        </>
      ) : (
        texts.neverSent
      ),
  },
];

export function WebhooksScreen() {
  const form = useSavedForm();
  const navigate = useNavigate();
  const list = useQuery(webhookListQuery(form.id));
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ id: string; url: string; secret: string } | null>(null);
  const webhooks = list.data ?? [];

  const show = (webhookId: string) =>
    void navigate({ to: '/forms/$formId/webhooks/$webhookId', params: { formId: form.id, webhookId } });

  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} of={form.name} actions={webhooks.length > 0 && add}>
      <Text c="dimmed">{texts.intro}</Text>
      {list.isPending && <Loading />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && webhooks.length === 0 && (
        <EmptyState icon={IconWebhook} text={texts.empty}>
          {add}
        </EmptyState>
      )}
      {webhooks.length > 0 && (
        <DataTable name={texts.title} columns={COLUMNS} rows={webhooks} keyOf={({ id }) => id} />
      )}
      {isAdding && (
        <WebhookDialog
          formId={form.id}
          webhook={null}
          onClose={() => setAdding(false)}
          onCreated={({ id, url, secret }) => {
            if (secret !== null) return setCreated({ id, url, secret });
            toastSuccess(texts.lost);
            show(id);
          }}
        />
      )}
      <SecretDialog
        title={texts.createdTitle}
        label={texts.secretOf(created?.url ?? '')}
        secret={created?.secret ?? null}
        onDone={() => created && show(created.id)}
      />
    </Page>
  );
}
