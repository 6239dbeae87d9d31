import { useParams } from '@tanstack/react-router';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { DeliveryDetail } from './delivery-detail.tsx';

/** One delivery to a webhook of a form. */
export function DeliveryScreen() {
  const { id: formId, name } = useSavedForm();
  const { webhookId, deliveryId } = useParams({
    from: '/shell/forms/$formId/webhooks/$webhookId/deliveries/$deliveryId',
  });
  return <DeliveryDetail of={name} webhook={{ id: webhookId, formId }} deliveryId={deliveryId} />;
}
