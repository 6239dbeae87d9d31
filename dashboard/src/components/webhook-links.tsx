import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Webhook } from '../api/webhooks.ts';
import { ButtonLink, TextLink } from './links.tsx';

/** Links to a webhook of a form or of the account. */
export function WebhookLink({
  webhook: { id: webhookId, formId },
  size,
  children,
}: {
  webhook: Webhook;
  size?: 'sm';
  children: ReactNode;
}) {
  const look = size && { size };
  return formId === undefined ? (
    <TextLink to="/settings/webhooks/$webhookId" params={{ webhookId }} {...look}>
      {children}
    </TextLink>
  ) : (
    <TextLink to="/forms/$formId/webhooks/$webhookId" params={{ formId, webhookId }} {...look}>
      {children}
    </TextLink>
  );
}

/** Links to all webhooks of the form or of the account. */
export function WebhooksLink({ formId, children }: { formId: string | undefined; children: ReactNode }) {
  return formId === undefined ? (
    <TextLink to="/settings/webhooks" size="sm">
      {children}
    </TextLink>
  ) : (
    <TextLink to="/forms/$formId/webhooks" params={{ formId }} size="sm">
      {children}
    </TextLink>
  );
}

/** Links to a delivery. */
export function DeliveryLink({
  webhook: { id: webhookId, formId },
  deliveryId,
  children,
}: {
  webhook: Webhook;
  deliveryId: string;
  children: ReactNode;
}) {
  return formId === undefined ? (
    <TextLink to="/settings/webhooks/$webhookId/deliveries/$deliveryId" params={{ webhookId, deliveryId }}>
      {children}
    </TextLink>
  ) : (
    <TextLink
      to="/forms/$formId/webhooks/$webhookId/deliveries/$deliveryId"
      params={{ formId, webhookId, deliveryId }}
    >
      {children}
    </TextLink>
  );
}

/** Filters the deliveries on the screen of the webhook by `held`. */
export function HeldLink({
  webhook: { id: webhookId, formId },
  children,
}: {
  webhook: Webhook;
  children: ReactNode;
}) {
  return formId === undefined ? (
    <ButtonLink
      variant="default"
      to="/settings/webhooks/$webhookId"
      params={{ webhookId }}
      search={{ delivery: 'held' }}
    >
      {children}
    </ButtonLink>
  ) : (
    <ButtonLink
      variant="default"
      to="/forms/$formId/webhooks/$webhookId"
      params={{ formId, webhookId }}
      search={{ delivery: 'held' }}
    >
      {children}
    </ButtonLink>
  );
}

/**
 * Returns functions that open a webhook, or all webhooks of a form or of the account. `showWebhook`
 * may be called by the dialog that shows the secret: the user has copied it then.
 */
export function useShowWebhooks() {
  const navigate = useNavigate();
  return {
    showWebhook: ({ id: webhookId, formId }: Webhook) =>
      formId === undefined
        ? navigate({ to: '/settings/webhooks/$webhookId', params: { webhookId }, ignoreBlocker: true })
        : navigate({
            to: '/forms/$formId/webhooks/$webhookId',
            params: { formId, webhookId },
            ignoreBlocker: true,
          }),
    showWebhooks: (formId: string | undefined) =>
      formId === undefined
        ? navigate({ to: '/settings/webhooks' })
        : navigate({ to: '/forms/$formId/webhooks', params: { formId } }),
  };
}
