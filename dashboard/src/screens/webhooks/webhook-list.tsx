import { Box, Button, Text, Title } from '@mantine/core';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { receivesFrom, webhookListQuery, type AnyWebhook } from '../../api/webhooks.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { Time } from '../../components/time.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { webhooksTexts as texts } from '../../texts/webhooks.ts';
import { WebhookBadge } from './webhook-badge.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { NameList } from '../../components/name-list.tsx';
import { useShowWebhooks, WebhookLink } from '../../components/webhook-links.tsx';

const COLUMNS: readonly Column<AnyWebhook>[] = [
  {
    label: texts.columns.url,
    cell: (webhook) => (
      <>
        <WebhookLink webhook={webhook}>{webhook.url}</WebhookLink>
        {webhook.description && <Text c="dimmed">{webhook.description}</Text>}
      </>
    ),
  },
  { label: texts.columns.events, cell: ({ events }) => <NameList names={events} /> },
  { label: texts.columns.state, cell: (webhook) => <WebhookBadge webhook={webhook} /> },
  {
    label: texts.columns.last,
    cell: ({ lastAttemptAt, lastStatus }) =>
      lastAttemptAt ? (
        <span>
          <Time at={lastAttemptAt} /> · {lastStatus ?? texts.detail.noResponse}
        </span>
      ) : (
        texts.neverSent
      ),
  },
];

const FORMS_COLUMN: Column<AnyWebhook> = {
  label: texts.account.forms,
  cell: ({ forms }) => (forms ? texts.account.formCount(forms.length) : texts.account.allForms),
};

/** The webhooks of a form or, without one, of the account. `of`: the name of the parent. */
export function WebhookList({ formId, of }: { formId?: string; of: string }) {
  const list = useQuery(webhookListQuery(formId));
  const { showWebhook } = useShowWebhooks();
  const [isAdding, setAdding] = useState(false);
  const [created, setCreated] = useState<{ id: string; url: string; secret: string } | null>(null);
  const webhooks = list.data ?? [];
  const { intro, empty } = formId === undefined ? texts.account : texts;
  const columns = formId === undefined ? COLUMNS.toSpliced(1, 0, FORMS_COLUMN) : COLUMNS;
  const show = (id: string) => void showWebhook({ id, formId });

  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {texts.add}
    </Button>
  );
  return (
    <Page title={texts.title} of={of} actions={webhooks.length > 0 && add}>
      <Text c="dimmed">{intro}</Text>
      {list.isPending && <Loading shape="rows" />}
      {list.isError && !list.data && <FailureAlert error={list.error} retry={list.refetch} />}
      {list.data && webhooks.length === 0 && (
        <EmptyState icon={IconWebhook} text={empty}>
          {add}
        </EmptyState>
      )}
      {webhooks.length > 0 && (
        <DataTable name={texts.title} columns={columns} rows={webhooks} keyOf={({ id }) => id} />
      )}
      {formId !== undefined && <AccountWebhooksOf formId={formId} />}
      {isAdding && (
        <WebhookDialog
          formId={formId}
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

/** The account webhooks that get the events of a form. */
function AccountWebhooksOf({ formId }: { formId: string }) {
  const list = useQuery(webhookListQuery());
  const webhooks = list.data?.filter((webhook) => receivesFrom(webhook, formId)) ?? [];
  if (list.isError && !list.data) return <FailureAlert error={list.error} retry={list.refetch} />;
  if (webhooks.length === 0) return null;
  return (
    <Box component="section" aria-label={texts.account.ofForm} mt="md">
      <Title order={3} size="h5">
        {texts.account.ofForm}
      </Title>
      <Text c="dimmed" mb="sm">
        {texts.account.ofFormIntro}
      </Text>
      <DataTable name={texts.account.ofForm} columns={COLUMNS} rows={webhooks} keyOf={({ id }) => id} />
    </Box>
  );
}
