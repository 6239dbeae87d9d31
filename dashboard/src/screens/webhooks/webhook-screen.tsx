import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useSavedForm } from '../form/layout/use-saved-form.ts';
import { WebhookDetail } from './webhook-detail.tsx';
import { webhookSearch } from './webhook-search.ts';

const route = '/forms/$formId/webhooks/$webhookId';

/** One webhook of a form. */
export function WebhookScreen() {
  const { id: formId, name } = useSavedForm();
  const { webhookId } = useParams({ from: `/shell${route}` });
  const { delivery, event } = useSearch({ from: `/shell${route}` });
  const navigate = useNavigate();
  return (
    <WebhookDetail
      of={name}
      webhook={{ id: webhookId, formId }}
      filters={{ status: delivery, eventType: event }}
      onFilter={(filters) =>
        void navigate({
          to: route,
          params: { formId, webhookId },
          search: webhookSearch(filters),
          replace: true,
        })
      }
    />
  );
}
