import { WebhookHealthOut, WebhookHealthQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { manageAccountWebhooks, manageWebhooks } from './access.ts';
import { createReadHealth, type ReadHealthDeps } from './read-health.ts';

/** The health of webhooks, of a form and of the account. */
export function healthRoutes(deps: ReadHealthDeps): Route[] {
  const readHealth = createReadHealth(deps);
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/forms/:formId/webhooks/:webhookId/health', summary: 'Get the health of a webhook', operationId: 'getWebhookHealth', access: manageWebhooks,
      description: 'Attempts, success rate and latency by hour, written by the dispatcher about once a second.',
      query: WebhookHealthQuery, status: 200, response: WebhookHealthOut, errors: ['NOT_FOUND'], handler: readHealth }),
    route({ method: 'GET', path: '/api/webhooks/:webhookId/health', summary: 'Get the health of an account webhook', operationId: 'getAccountWebhookHealth', access: manageAccountWebhooks,
      description: 'Attempts, success rate and latency by hour, written by the dispatcher about once a second.',
      query: WebhookHealthQuery, status: 200, response: WebhookHealthOut, errors: ['NOT_FOUND'], handler: readHealth }),
  ];
}
