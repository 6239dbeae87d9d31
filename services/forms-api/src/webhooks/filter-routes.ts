import { AccountFilterPreviewIn, FilterPreviewIn, FilterPreviewOut } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { manageAccountWebhooks, manageWebhooks } from './access.ts';
import { createPreviewFilter, type PreviewFilterDeps } from './preview-filter.ts';

/** The preview of filters, of webhooks of a form and of the account. */
export function filterRoutes(deps: PreviewFilterDeps): Route[] {
  const previewFilter = createPreviewFilter(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/forms/:formId/webhooks/filter/preview', summary: 'Preview a filter', operationId: 'previewWebhookFilter', access: manageWebhooks,
      description: 'Says which recent events of the form a filter lets pass. Also needs `submissions:read`, and `tasks:read` for the events of tasks.',
      body: FilterPreviewIn, optionalBody: true, status: 200, response: FilterPreviewOut, errors: ['NOT_FOUND'], audit: null, handler: previewFilter }),
    route({ method: 'POST', path: '/api/webhooks/filter/preview', summary: 'Preview a filter of an account webhook', operationId: 'previewAccountWebhookFilter', access: manageAccountWebhooks,
      description: 'Says which recent events of the account a filter lets pass. Also needs `submissions:read`, and `tasks:read` for the events of tasks.',
      body: AccountFilterPreviewIn, optionalBody: true, status: 200, response: FilterPreviewOut, audit: null, handler: previewFilter }),
  ];
}
