import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { settingsTexts } from '../../texts/settings.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookList } from './webhook-list.tsx';
import { webhookSearch } from './webhook-search.ts';

const of = settingsTexts.title;
const route = '/settings/webhooks/$webhookId';

/** The webhooks of the account. */
export function AccountWebhooksScreen() {
  return <WebhookList of={of} />;
}

/** One webhook of the account. */
export function AccountWebhookScreen() {
  const { webhookId } = useParams({ from: `/shell${route}` });
  const { delivery, event } = useSearch({ from: `/shell${route}` });
  const navigate = useNavigate();
  return (
    <WebhookDetail
      of={of}
      webhook={{ id: webhookId }}
      filters={{ status: delivery, eventType: event }}
      onFilter={(filters) =>
        void navigate({ to: route, params: { webhookId }, search: webhookSearch(filters), replace: true })
      }
    />
  );
}

/** One delivery to a webhook of the account. */
export function AccountDeliveryScreen() {
  const { webhookId, deliveryId } = useParams({ from: `/shell${route}/deliveries/$deliveryId` });
  return <DeliveryDetail of={of} webhook={{ id: webhookId }} deliveryId={deliveryId} />;
}
