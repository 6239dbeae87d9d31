import { WebhookHealthOut, WebhookHealthQuery } from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createReadHealth, type ReadHealthDeps } from './read-health.ts';

const manageWebhooks = { scope: 'forms:webhooks:manage' } as const;

/** The health of webhooks, of a form and of the account. */
export function healthRoutes(deps: ReadHealthDeps): Route[] {
  const readHealth = createReadHealth(deps);
  // prettier-ignore
  return [
    route({ method: 'GET', path: '/api/forms/:formId/webhooks/:webhookId/health', summary: 'Get the health of a webhook', operationId: 'getWebhookHealth', access: manageWebhooks,
      description: 'Attempts, success rate and latency by hour, written by the dispatcher about once a second.',
      query: WebhookHealthQuery, status: 200, response: WebhookHealthOut, errors: ['NOT_FOUND'], handler: readHealth }),
    route({ method: 'GET', path: '/api/webhooks/:webhookId/health', summary: 'Get the health of an account webhook', operationId: 'getAccountWebhookHealth', access: { ...manageWebhooks, allForms: true },
      description: 'Attempts, success rate and latency by hour, written by the dispatcher about once a second.',
      query: WebhookHealthQuery, status: 200, response: WebhookHealthOut, errors: ['NOT_FOUND'], handler: readHealth }),
  ];
}
