import {
  AccountDeliveryQuery,
  AccountPayloadPreviewIn,
  AccountWebhookCreatedOut,
  AccountWebhookIn,
  AccountWebhookOut,
  AccountWebhookPatch,
  AccountWebhookTestIn,
  DeliveryDetailOut,
  DeliveryDetailQuery,
  DeliveryOut,
  DeliveryQuery,
  PageQuery,
  PayloadPreviewIn,
  PayloadPreviewOut,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  WebhookCreatedOut,
  WebhookIn,
  WebhookOut,
  WebhookPatch,
  WebhookTestIn,
  WebhookTestOut,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { manageAccountWebhooks, manageWebhooks } from './access.ts';
import { createDeliveries } from './deliveries.ts';
import { createPayloadPreview } from './payload-preview.ts';
import { createRequeue, type RequeueDeps } from './requeue.ts';
import { createRotateSecret } from './rotate-secret.ts';
import { createTestWebhook, type TestWebhookDeps } from './test-webhook.ts';
import { createWebhooks } from './webhooks.ts';

const WEBHOOKS = '/api/forms/:formId/webhooks';
const WEBHOOK = '/api/forms/:formId/webhooks/:webhookId';
const ACCOUNT_WEBHOOKS = '/api/webhooks';
const ACCOUNT_WEBHOOK = '/api/webhooks/:webhookId';

/** The webhooks of a form and their deliveries. */
export function webhookRoutes(deps: RequeueDeps & TestWebhookDeps): Route[] {
  const webhooks = createWebhooks(deps);
  const deliveries = createDeliveries(deps);
  const { redeliver, recover } = createRequeue(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: WEBHOOKS, summary: 'Create a webhook', access: manageWebhooks,
      body: WebhookIn, status: 201, response: WebhookCreatedOut, idempotent: true, replyHeaders: ['Location'],
      errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.created', handler: webhooks.create }),
    route({ method: 'GET', path: WEBHOOKS, summary: 'List the webhooks of a form', operationId: 'listWebhooks', access: manageWebhooks,
      query: PageQuery, status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.list }),
    route({ method: 'GET', path: WEBHOOK, summary: 'Get a webhook', access: manageWebhooks,
      status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.get }),
    route({ method: 'PATCH', path: WEBHOOK, summary: 'Update a webhook', operationId: 'changeWebhook', access: manageWebhooks,
      body: WebhookPatch, status: 200, response: WebhookOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.updated', handler: webhooks.change }),
    route({ method: 'DELETE', path: WEBHOOK, summary: 'Delete a webhook and its deliveries', operationId: 'deleteWebhook', access: manageWebhooks,
      status: 204, errors: ['NOT_FOUND'], audit: 'webhook.deleted', handler: webhooks.remove }),
    route({ method: 'POST', path: `${WEBHOOK}/rotate-secret`, summary: 'Rotate the signing secret of a webhook', operationId: 'rotateWebhookSecret', access: manageWebhooks, needsRecentLogin: true,
      body: RotateSecretIn, optionalBody: true, status: 200, response: WebhookCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.secret_rotated', handler: createRotateSecret(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/test`, summary: 'Send a test event to a webhook', operationId: 'testWebhook', access: manageWebhooks,
      body: WebhookTestIn, optionalBody: true, status: 200, response: WebhookTestOut, errors: ['NOT_FOUND'],
      audit: 'webhook.tested', handler: createTestWebhook(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/recover`, summary: 'Recover failed and held deliveries', operationId: 'recoverDeliveries', access: manageWebhooks,
      body: RecoverIn, status: 202, response: RecoverOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.recovered', handler: recover }),
    route({ method: 'POST', path: `${WEBHOOKS}/payload/preview`, summary: 'Preview the payload of a webhook', operationId: 'previewPayload', access: manageWebhooks,
      body: PayloadPreviewIn, status: 200, response: PayloadPreviewOut, errors: ['NOT_FOUND', 'ERASED'],
      audit: null, handler: createPayloadPreview(deps) }),

    route({ method: 'GET', path: `${WEBHOOK}/deliveries`, summary: 'List the deliveries of a webhook', operationId: 'listDeliveries', access: manageWebhooks,
      query: DeliveryQuery, status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.list }),
    route({ method: 'GET', path: `${WEBHOOK}/deliveries/:deliveryId`, summary: 'Get a delivery', access: manageWebhooks,
      query: DeliveryDetailQuery, status: 200, response: DeliveryDetailOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOK}/deliveries/:deliveryId/redeliver`, summary: 'Retry a delivery', operationId: 'redeliverDelivery', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'delivery.retried', handler: redeliver }),
    route({ method: 'GET', path: `${WEBHOOKS}/deliveries/:deliveryId`, summary: 'Get a delivery of any webhook of the form', operationId: 'getDeliveryOfForm', access: manageWebhooks,
      query: DeliveryDetailQuery, status: 200, response: DeliveryDetailOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOKS}/deliveries/:deliveryId/redeliver`, summary: 'Retry a delivery of any webhook of the form', operationId: 'redeliverDeliveryOfForm', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'delivery.retried', handler: redeliver }),
  ];
}

/** The webhooks of the account and their deliveries. */
export function accountWebhookRoutes(deps: RequeueDeps & TestWebhookDeps): Route[] {
  const webhooks = createWebhooks(deps);
  const deliveries = createDeliveries(deps);
  const { redeliver, recover } = createRequeue(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: ACCOUNT_WEBHOOKS, summary: 'Create an account webhook', access: manageAccountWebhooks,
      description: 'Receives the events of all forms of the account, or of those in `forms`.',
      body: AccountWebhookIn, status: 201, response: AccountWebhookCreatedOut, idempotent: true, replyHeaders: ['Location'],
      errors: ['CONFLICT'], audit: 'webhook.created', handler: webhooks.create }),
    route({ method: 'GET', path: ACCOUNT_WEBHOOKS, summary: 'List the webhooks of the account', operationId: 'listAccountWebhooks', access: manageAccountWebhooks,
      query: PageQuery, status: 200, response: AccountWebhookOut, handler: webhooks.list }),
    route({ method: 'GET', path: ACCOUNT_WEBHOOK, summary: 'Get an account webhook', access: manageAccountWebhooks,
      status: 200, response: AccountWebhookOut, errors: ['NOT_FOUND'], handler: webhooks.get }),
    route({ method: 'PATCH', path: ACCOUNT_WEBHOOK, summary: 'Update an account webhook', operationId: 'changeAccountWebhook', access: manageAccountWebhooks,
      body: AccountWebhookPatch, status: 200, response: AccountWebhookOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.updated', handler: webhooks.change }),
    route({ method: 'DELETE', path: ACCOUNT_WEBHOOK, summary: 'Delete an account webhook and its deliveries', operationId: 'deleteAccountWebhook', access: manageAccountWebhooks,
      status: 204, errors: ['NOT_FOUND'], audit: 'webhook.deleted', handler: webhooks.remove }),
    route({ method: 'POST', path: `${ACCOUNT_WEBHOOK}/rotate-secret`, summary: 'Rotate the signing secret of an account webhook', operationId: 'rotateAccountWebhookSecret', access: manageAccountWebhooks, needsRecentLogin: true,
      body: RotateSecretIn, optionalBody: true, status: 200, response: AccountWebhookCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.secret_rotated', handler: createRotateSecret(deps) }),
    route({ method: 'POST', path: `${ACCOUNT_WEBHOOK}/test`, summary: 'Send a test event to an account webhook', operationId: 'testAccountWebhook', access: manageAccountWebhooks,
      body: AccountWebhookTestIn, optionalBody: true, status: 200, response: WebhookTestOut, errors: ['NOT_FOUND'],
      audit: 'webhook.tested', handler: createTestWebhook(deps) }),
    route({ method: 'POST', path: `${ACCOUNT_WEBHOOK}/recover`, summary: 'Recover failed and held deliveries of an account webhook', operationId: 'recoverAccountDeliveries', access: manageAccountWebhooks,
      body: RecoverIn, status: 202, response: RecoverOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.recovered', handler: recover }),
    route({ method: 'POST', path: `${ACCOUNT_WEBHOOKS}/payload/preview`, summary: 'Preview the payload of an account webhook', operationId: 'previewAccountPayload', access: manageAccountWebhooks,
      body: AccountPayloadPreviewIn, status: 200, response: PayloadPreviewOut, errors: ['NOT_FOUND', 'ERASED'],
      audit: null, handler: createPayloadPreview(deps) }),

    route({ method: 'GET', path: `${ACCOUNT_WEBHOOK}/deliveries`, summary: 'List the deliveries of an account webhook', operationId: 'listAccountDeliveries', access: manageAccountWebhooks,
      query: AccountDeliveryQuery, status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.list }),
    route({ method: 'GET', path: `${ACCOUNT_WEBHOOK}/deliveries/:deliveryId`, summary: 'Get a delivery of an account webhook', operationId: 'getAccountDelivery', access: manageAccountWebhooks,
      query: DeliveryDetailQuery, status: 200, response: DeliveryDetailOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${ACCOUNT_WEBHOOK}/deliveries/:deliveryId/redeliver`, summary: 'Retry a delivery of an account webhook', operationId: 'redeliverAccountDelivery', access: manageAccountWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'delivery.retried', handler: redeliver }),
  ];
}
