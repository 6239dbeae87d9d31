import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import type { AuditEntryOut } from '@svcforms/contracts';
import { IconFilter } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHasScope } from '../../api/session.ts';
import { webhookQuery } from '../../api/webhooks.ts';
import { TextLink } from '../../components/links.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { DeliveryLink, WebhookLink } from '../webhooks/webhook-links.tsx';
import { webhookName } from '../webhooks/webhook-name.ts';
import { targetForm, targetText } from './audit-words.ts';

const texts = settingsTexts.audit;

/** Returns the host and path of the webhook that an entry is about. The entries have only the host. */
export function useWebhookNames(
  rows: readonly AuditEntryOut[],
): (resource: AuditEntryOut['resource']) => string | undefined {
  const maySee = useHasScope('forms:webhooks:manage');
  const webhooks = new Map(
    rows.flatMap(({ resource }) =>
      resource?.webhookId ? [[resource.webhookId, resource.formId ?? undefined] as const] : [],
    ),
  );
  const found = useQueries({
    queries: [...webhooks].map(([id, formId]) => ({
      ...webhookQuery({ id, formId }),
      enabled: maySee,
      // The audit log isn't live.
      refetchInterval: false as const,
      staleTime: 60_000,
    })),
  });
  const names = new Map(found.flatMap(({ data }) => (data ? [[data.id, webhookName(data.url)]] : [])));
  return (resource) => names.get(resource?.webhookId ?? '');
}

/** The target of an entry: a link if it still exists, and a button that filters by it. */
export function AuditTarget({
  entry,
  webhook,
  onOnly,
}: {
  entry: AuditEntryOut;
  /** The host and path of its webhook. */
  webhook: string | undefined;
  onOnly: (id: string) => void;
}) {
  const { target, resource } = entry;
  const text = targetText(target, resource, webhook);
  const form = targetForm(entry);
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <Stack gap={0} maw="22rem" style={{ overflowWrap: 'anywhere' }}>
        {target.id !== null && resource ? (
          <ResourceLink id={target.id} resource={resource}>
            {text}
          </ResourceLink>
        ) : (
          <span>{text}</span>
        )}
        {form !== undefined && (
          <Text span c="dimmed" size="sm">
            {form}
          </Text>
        )}
      </Stack>
      {target.id !== null && <OnlyButton id={target.id} label={texts.onlyTarget(text)} onOnly={onOnly} />}
    </Group>
  );
}

function OnlyButton({ id, label, onOnly }: { id: string; label: string; onOnly: (id: string) => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      title={id}
      aria-label={label}
      onClick={() => onOnly(id)}
    >
      <IconFilter size={16} aria-hidden />
    </ActionIcon>
  );
}

/** Links to the screen of a resource, or to the list that has it. */
function ResourceLink({
  id,
  resource: { formId, webhookId },
  children,
}: {
  id: string;
  resource: NonNullable<AuditEntryOut['resource']>;
  children: ReactNode;
}) {
  if (webhookId !== null) {
    const webhook = { id: webhookId, formId: formId ?? undefined };
    return id === webhookId ? (
      <WebhookLink webhook={webhook}>{children}</WebhookLink>
    ) : (
      <DeliveryLink webhook={webhook} deliveryId={id}>
        {children}
      </DeliveryLink>
    );
  }
  switch (id.slice(0, id.indexOf('_'))) {
    case 'tsk':
      return (
        <TextLink to="/tasks/$taskId" params={{ taskId: id }}>
          {children}
        </TextLink>
      );
    case 'usr':
      return <TextLink to="/settings/users">{children}</TextLink>;
    case 'key':
      return <TextLink to="/settings/keys">{children}</TextLink>;
    case 'grp':
      return <TextLink to="/settings/groups">{children}</TextLink>;
  }
  if (formId === null) return children;
  if (id === formId) {
    return (
      <TextLink to="/forms/$formId" params={{ formId }}>
        {children}
      </TextLink>
    );
  }
  return id.startsWith('inb_') ? (
    <TextLink to="/forms/$formId/integrations/$inboundId" params={{ formId, inboundId: id }}>
      {children}
    </TextLink>
  ) : (
    <TextLink to="/forms/$formId/submissions/$submissionId" params={{ formId, submissionId: id }}>
      {children}
    </TextLink>
  );
}
