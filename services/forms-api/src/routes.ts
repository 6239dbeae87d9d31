import {
  DeliveryOut,
  DeliveryQuery,
  DuplicateIn,
  ExportQuery,
  FormIn,
  FormOut,
  FormQuery,
  FormsStatsOut,
  FormsStatsQuery,
  FormTemplate,
  FormTemplateIn,
  InboundCreatedOut,
  InboundIn,
  InboundOut,
  InboundPatch,
  InboundPatchedOut,
  InboundRequestsOut,
  InboundRotatedOut,
  KeyCreatedOut,
  KeyIn,
  KeyOut,
  LoginIn,
  MeOut,
  MePatch,
  PageQuery,
  PopupEventIn,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  StatsOut,
  StatsQuery,
  SubmissionCreatedOut,
  SubmissionIn,
  SubmissionOut,
  SubmissionQuery,
  UserIn,
  UserOut,
  UserPatch,
  WebhookCreatedOut,
  WebhookIn,
  WebhookOut,
  WebhookPatch,
  WebhookTestIn,
  WebhookTestOut,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http-kit';
import { createKeys, type KeysDeps } from './accounts/keys.ts';
import { createLogins, type LoginDeps } from './accounts/login.ts';
import { createUsers, type UsersDeps } from './accounts/users.ts';
import { createCopies } from './forms/copies.ts';
import { createForms, type FormsDeps } from './forms/forms.ts';
import { createInboundEndpoints, type InboundEndpointsDeps } from './inbound-endpoints/inbound-endpoints.ts';
import { createPopupCounters, type PopupCountersDeps } from './popup-counters/popup-counters.ts';
import { createExport, EXPORT_TYPES } from './submissions/export-submissions.ts';
import { createSubmissions, type SubmissionsDeps } from './submissions/submissions.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createRequeue, type RequeueDeps } from './webhooks/requeue.ts';
import { createRotateSecret } from './webhooks/rotate-secret.ts';
import { createTestWebhook, type TestWebhookDeps } from './webhooks/test-webhook.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

const FORM = '/api/forms/:formId';
const INBOUND = `${FORM}/inbound`;
const WEBHOOKS = `${FORM}/webhooks`;
const WEBHOOK = `${WEBHOOKS}/:webhookId`;

const readForms = { scope: 'forms:read' } as const;
const writeForms = { scope: 'forms:write' } as const;
const readSubmissions = { scope: 'submissions:read' } as const;
const writeSubmissions = { scope: 'submissions:write' } as const;
const manageInbound = { scope: 'forms:inbound:manage' } as const;
const manageKeys = { scope: 'keys:manage' } as const;
const manageWebhooks = { scope: 'forms:webhooks:manage' } as const;

/** The management API and the public submission. */
export function routes(
  deps: LoginDeps &
    UsersDeps &
    KeysDeps &
    FormsDeps &
    SubmissionsDeps &
    InboundEndpointsDeps &
    PopupCountersDeps &
    RequeueDeps &
    TestWebhookDeps,
): Route[] {
  const logins = createLogins(deps);
  const users = createUsers(deps);
  const keys = createKeys(deps);
  const forms = createForms(deps);
  const copies = createCopies(deps);
  const submissions = createSubmissions(deps);
  const exportSubmissions = createExport(deps);
  const popupCounters = createPopupCounters(deps);
  const inbound = createInboundEndpoints(deps);
  const webhooks = createWebhooks(deps);
  const deliveries = createDeliveries(deps);
  const { redeliver, recover } = createRequeue(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/auth/login', summary: 'Log in', access: 'public', sameOrigin: true,
      body: LoginIn, status: 200, response: MeOut, errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'], replyHeaders: ['Set-Cookie'],
      handler: logins.login }),
    route({ method: 'POST', path: '/api/auth/logout', summary: 'Log out', access: 'session',
      status: 204, replyHeaders: ['Set-Cookie'], handler: logins.logout }),
    route({ method: 'GET', path: '/api/auth/me', summary: 'Get the user who has logged in', operationId: 'getMe', access: 'session',
      status: 200, response: MeOut, handler: logins.me }),
    route({ method: 'PATCH', path: '/api/auth/me', summary: 'Change the user who has logged in', operationId: 'changeMe', access: 'session',
      body: MePatch, status: 200, response: MeOut, errors: ['CONFLICT'], handler: logins.changeMe }),

    route({ method: 'POST', path: '/api/users', summary: 'Create a user', access: manageKeys,
      body: UserIn, status: 201, response: UserOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], handler: users.create }),
    route({ method: 'GET', path: '/api/users', summary: 'List the users of the account', operationId: 'listUsers', access: manageKeys,
      query: PageQuery, status: 200, response: UserOut, handler: users.list }),
    route({ method: 'PATCH', path: '/api/users/:userId', summary: 'Change a user', access: manageKeys,
      body: UserPatch, status: 200, response: UserOut, errors: ['CONFLICT'], handler: users.change }),
    route({ method: 'DELETE', path: '/api/users/:userId', summary: 'Delete a user and end its sessions', operationId: 'deleteUser', access: manageKeys,
      status: 204, errors: ['CONFLICT'], handler: users.remove }),

    route({ method: 'POST', path: '/api/keys', summary: 'Create an API key', operationId: 'createKey', access: manageKeys,
      body: KeyIn, status: 201, response: KeyCreatedOut, idempotent: true, replyHeaders: ['Location'], handler: keys.create }),
    route({ method: 'GET', path: '/api/keys', summary: 'List the API keys of the account', operationId: 'listKeys', access: manageKeys,
      query: PageQuery, status: 200, response: KeyOut, handler: keys.list }),
    route({ method: 'DELETE', path: '/api/keys/:keyId', summary: 'Delete an API key', operationId: 'deleteKey', access: manageKeys,
      status: 204, handler: keys.remove }),

    route({ method: 'POST', path: '/api/forms', summary: 'Create a form', access: writeForms,
      body: FormIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], handler: forms.create }),
    route({ method: 'GET', path: '/api/forms', summary: 'List forms', access: readForms,
      query: FormQuery, status: 200, response: FormOut, handler: forms.list }),
    route({ method: 'GET', path: FORM, summary: 'Get a form', access: readForms,
      status: 200, response: FormOut, replyHeaders: ['ETag'], handler: forms.get }),
    route({ method: 'PUT', path: FORM, summary: 'Replace a form', access: writeForms,
      body: FormIn, status: 200, response: FormOut, errors: ['CONFLICT'], requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      description: 'Parameters of triggers that the body leaves out keep their saved value, null removes one; everything else is replaced.',
      handler: forms.replace }),
    route({ method: 'DELETE', path: FORM, summary: 'Delete a form', access: writeForms,
      description: 'Its webhooks, inbound endpoint and submissions go with it, and their deliveries stop.',
      status: 204, errors: ['NOT_FOUND'], handler: forms.remove }),

    route({ method: 'POST', path: `${FORM}/duplicate`, summary: 'Make a copy of a form', operationId: 'duplicateForm', access: writeForms,
      body: DuplicateIn, optionalBody: true, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      handler: copies.duplicate }),
    route({ method: 'GET', path: `${FORM}/export`, summary: 'Export a form as a template', operationId: 'exportForm', access: readForms,
      status: 200, response: FormTemplate, handler: copies.export }),
    route({ method: 'POST', path: '/api/forms/import', summary: 'Make a form of a template', operationId: 'importForm', access: writeForms,
      body: FormTemplateIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], handler: copies.import }),
    route({ method: 'GET', path: '/api/templates', summary: 'List the built-in templates', operationId: 'listTemplates', access: readForms,
      query: PageQuery, status: 200, response: FormTemplate, handler: copies.templates }),

    route({ method: 'POST', path: `${FORM}/submissions`, summary: 'Submit a form', access: 'public', crossOrigin: true, limit: 'public',
      keepsAnyText: true, body: SubmissionIn, status: 201, response: SubmissionCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'ORIGIN_NOT_ALLOWED'], handler: submissions.submit }),
    route({ method: 'GET', path: `${FORM}/submissions`, summary: 'List the submissions of a form', operationId: 'listSubmissions',
      access: readSubmissions, query: SubmissionQuery, status: 200, response: SubmissionOut, handler: submissions.list }),
    route({ method: 'GET', path: `${FORM}/submissions/export`, summary: 'Export the submissions of a form', operationId: 'exportSubmissions',
      access: readSubmissions, query: ExportQuery, status: 200, replyTypes: EXPORT_TYPES, replyHeaders: ['Content-Disposition'],
      handler: exportSubmissions }),
    route({ method: 'GET', path: '/api/submissions/:submissionId', summary: 'Get a submission', access: readSubmissions,
      status: 200, response: SubmissionOut, errors: ['NOT_FOUND'], handler: submissions.get }),
    route({ method: 'DELETE', path: '/api/submissions/:submissionId', summary: 'Delete a submission', access: writeSubmissions,
      status: 204, handler: submissions.remove }),

    route({ method: 'POST', path: `${FORM}/events`, summary: 'Count what happened to a popup', operationId: 'countPopupEvent', tag: 'Popup counters',
      access: 'public', crossOrigin: true, limit: 'public', body: PopupEventIn, takesText: true, status: 204, handler: popupCounters.event }),
    route({ method: 'GET', path: `${FORM}/stats`, summary: 'Get the popup counters and submissions of a form by day', operationId: 'getStats',
      access: readForms, query: StatsQuery, status: 200, response: StatsOut, handler: popupCounters.stats }),
    route({ method: 'GET', path: '/api/stats', summary: 'Get the popup counters and the number of submissions of several forms', operationId: 'getStatsOfForms',
      access: readForms, query: FormsStatsQuery, status: 200, response: FormsStatsOut,
      description: 'Forms that are not there, or not those of the account, are left out.', handler: popupCounters.statsOfForms }),

    route({ method: 'POST', path: INBOUND, summary: 'Create the inbound endpoint', access: manageInbound,
      body: InboundIn, status: 201, response: InboundCreatedOut, idempotent: true,
      errors: ['CONFLICT'], replyHeaders: ['Location'], handler: inbound.create }),
    route({ method: 'GET', path: INBOUND, summary: 'Get the inbound endpoint', access: manageInbound,
      status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.get }),
    route({ method: 'PATCH', path: INBOUND, summary: 'Change the inbound endpoint', access: manageInbound,
      body: InboundPatch, status: 200, response: InboundPatchedOut, errors: ['NOT_FOUND'], handler: inbound.change }),
    route({ method: 'DELETE', path: INBOUND, summary: 'Delete the inbound endpoint', access: manageInbound,
      status: 204, errors: ['NOT_FOUND'], handler: inbound.remove }),
    route({ method: 'GET', path: `${INBOUND}/requests`, summary: 'List the last 50 requests to the inbound endpoint', operationId: 'listInboundRequests',
      access: manageInbound, status: 200, response: InboundRequestsOut, handler: inbound.requests }),
    route({ method: 'POST', path: `${INBOUND}/rotate`, summary: 'Give the inbound endpoint a new token', operationId: 'rotateInboundToken', access: manageInbound,
      status: 200, response: InboundRotatedOut, errors: ['NOT_FOUND'], handler: inbound.rotate }),

    route({ method: 'POST', path: WEBHOOKS, summary: 'Create a webhook', access: manageWebhooks,
      body: WebhookIn, status: 201, response: WebhookCreatedOut, idempotent: true, replyHeaders: ['Location'],
      errors: ['NOT_FOUND', 'CONFLICT'], handler: webhooks.create }),
    route({ method: 'GET', path: WEBHOOKS, summary: 'List the webhooks of a form', operationId: 'listWebhooks', access: manageWebhooks,
      query: PageQuery, status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.list }),
    route({ method: 'GET', path: WEBHOOK, summary: 'Get a webhook', access: manageWebhooks,
      status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.get }),
    route({ method: 'PATCH', path: WEBHOOK, summary: 'Change a webhook', access: manageWebhooks,
      body: WebhookPatch, status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.change }),
    route({ method: 'DELETE', path: WEBHOOK, summary: 'Delete a webhook and its deliveries', operationId: 'deleteWebhook', access: manageWebhooks,
      status: 204, errors: ['NOT_FOUND'], handler: webhooks.remove }),
    route({ method: 'POST', path: `${WEBHOOK}/rotate-secret`, summary: 'Give a webhook a new secret', operationId: 'rotateWebhookSecret', access: manageWebhooks,
      body: RotateSecretIn, optionalBody: true, status: 200, response: WebhookCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], handler: createRotateSecret(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/test`, summary: 'Send a sample to a webhook', operationId: 'testWebhook', access: manageWebhooks,
      body: WebhookTestIn, optionalBody: true, status: 200, response: WebhookTestOut, errors: ['NOT_FOUND'],
      handler: createTestWebhook(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/recover`, summary: 'Send failed and held deliveries again', operationId: 'recoverDeliveries', access: manageWebhooks,
      body: RecoverIn, status: 202, response: RecoverOut, errors: ['NOT_FOUND', 'CONFLICT'], handler: recover }),

    route({ method: 'GET', path: `${WEBHOOK}/deliveries`, summary: 'List the deliveries of a webhook', operationId: 'listDeliveries', access: manageWebhooks,
      query: DeliveryQuery, status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.list }),
    route({ method: 'GET', path: `${WEBHOOK}/deliveries/:deliveryId`, summary: 'Get a delivery', access: manageWebhooks,
      status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOK}/deliveries/:deliveryId/redeliver`, summary: 'Send a delivery again', operationId: 'redeliverDelivery', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT'], handler: redeliver }),
    route({ method: 'GET', path: `${WEBHOOKS}/deliveries/:deliveryId`, summary: 'Get a delivery of any webhook of the form', operationId: 'getDeliveryOfForm', access: manageWebhooks,
      status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOKS}/deliveries/:deliveryId/redeliver`, summary: 'Send a delivery of any webhook of the form again', operationId: 'redeliverDeliveryOfForm', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT'], handler: redeliver }),
  ];
}
