import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { WebhookList } from './webhook-list.tsx';

/** The webhooks of a form. */
export function WebhooksScreen() {
  const { id, name } = useSavedForm();
  return <WebhookList formId={id} of={name} />;
}
