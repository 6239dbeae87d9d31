import { ActionIcon, Group, Stack, Text } from '@mantine/core';
import type { AuditEntryOut } from '@svcforms/contracts';
import { IconFilter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { TextLink } from '../../components/links.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { DeliveryLink, WebhookLink } from '../../components/webhook-links.tsx';
import { targetForm, targetText } from './audit-words.ts';

const texts = settingsTexts.audit;

/** The target of an entry: a link if it still exists, and a button that filters by it. */
export function AuditTarget({ entry, onOnly }: { entry: AuditEntryOut; onOnly: (id: string) => void }) {
  const { target, resource } = entry;
  const text = targetText(target, resource);
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
