import {
  AccountOut,
  AccountPatch,
  AuditEntryOut,
  AuditQuery,
  DeliveryOut,
  DeliveryQuery,
  DuplicateIn,
  EmailLinkQuery,
  ErasureIn,
  ErasureOut,
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
  NotificationAddressOut,
  PageQuery,
  PopupEventIn,
  ReauthenticateIn,
  RecoverIn,
  RecoverOut,
  RotateSecretIn,
  SessionsOut,
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
import { route, type Route } from '@svcforms/http';
import { createAccount } from './accounts/account.ts';
import { createKeys, type KeysDeps } from './accounts/keys.ts';
import { createLogins, type LoginDeps } from './accounts/login.ts';
import { createOwnSessions, type OwnSessionsDeps } from './accounts/sessions.ts';
import { createUsers, type UsersDeps } from './accounts/users.ts';
import { createAuditLogList, type AuditLogDeps } from './audit/audit-log.ts';
import type { ErasePersonDeps } from './erasures/erase-person.ts';
import { createErasures } from './erasures/erasures.ts';
import { createCopies } from './forms/copies.ts';
import { createForms, type FormsDeps } from './forms/forms.ts';
import { createInboundEndpoints, type InboundEndpointsDeps } from './inbound-endpoints/inbound-endpoints.ts';
import { createAddresses, type AddressesDeps } from './notifications/addresses.ts';
import { createEmailLinks, type EmailLinksDeps } from './notifications/email-links.ts';
import { createPopupCounters, type PopupCountersDeps } from './popup-counters/popup-counters.ts';
import { createExport, EXPORT_TYPES } from './submissions/export-submissions.ts';
import { createSearchGate } from './submissions/search-gate.ts';
import { createSubmissions, type SubmissionsDeps } from './submissions/submissions.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createRequeue, type RequeueDeps } from './webhooks/requeue.ts';
import { createRotateSecret } from './webhooks/rotate-secret.ts';
import { createTestWebhook, type TestWebhookDeps } from './webhooks/test-webhook.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

const FORM = '/api/forms/:formId';
const INBOUND = `${FORM}/inbound`;
const INBOUND_ENDPOINTS = `${INBOUND}/endpoints`;
const INBOUND_ENDPOINT = `${INBOUND_ENDPOINTS}/:inboundId`;
const WEBHOOKS = `${FORM}/webhooks`;
const WEBHOOK = `${WEBHOOKS}/:webhookId`;

const readForms = { scope: 'forms:read' } as const;
const writeForms = { scope: 'forms:write' } as const;
const readSubmissions = { scope: 'submissions:read' } as const;
const writeSubmissions = { scope: 'submissions:write' } as const;
const manageInbound = { scope: 'forms:inbound:manage' } as const;
const manageKeys = { scope: 'keys:manage' } as const;
const manageUsers = { scope: 'users:manage' } as const;
const manageWebhooks = { scope: 'forms:webhooks:manage' } as const;

/** The management API and the public submission. */
export function routes(
  given: LoginDeps &
    OwnSessionsDeps &
    UsersDeps &
    KeysDeps &
    AuditLogDeps &
    Omit<FormsDeps, 'enterSearch'> &
    Omit<SubmissionsDeps, 'enterSearch'> &
    AddressesDeps &
    EmailLinksDeps &
    InboundEndpointsDeps &
    PopupCountersDeps &
    RequeueDeps &
    TestWebhookDeps &
    ErasePersonDeps,
): Route[] {
  const deps = {
    ...given,
    enterSearch: createSearchGate({ maxWaiting: 2 }),
    enterExport: createSearchGate({ maxWaiting: 0 }),
  };
  const logins = createLogins(deps);
  const ownSessions = createOwnSessions(deps);
  const users = createUsers(deps);
  const keys = createKeys(deps);
  const account = createAccount(deps);
  const erasures = createErasures(deps);
  const forms = createForms(deps);
  const copies = createCopies(deps);
  const submissions = createSubmissions(deps);
  const exportSubmissions = createExport(deps);
  const popupCounters = createPopupCounters(deps);
  const addresses = createAddresses(deps);
  const links = createEmailLinks(deps);
  const inbound = createInboundEndpoints(deps);
  const webhooks = createWebhooks(deps);
  const deliveries = createDeliveries(deps);
  const { redeliver, recover } = createRequeue(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/auth/login', summary: 'Log in', access: 'public', sameOrigin: true,
      body: LoginIn, status: 200, response: MeOut, errors: ['UNAUTHORIZED', 'RATE_LIMITED', 'ORIGIN_NOT_ALLOWED'], replyHeaders: ['Set-Cookie'],
      audit: 'login.succeeded', handler: logins.login }),
    route({ method: 'POST', path: '/api/auth/logout', summary: 'Log out', access: 'session',
      status: 204, replyHeaders: ['Set-Cookie'], audit: 'session.ended', handler: logins.logout }),
    route({ method: 'GET', path: '/api/auth/me', summary: 'Get the logged-in user', operationId: 'getMe', access: 'session',
      status: 200, response: MeOut, handler: logins.me }),
    route({ method: 'PATCH', path: '/api/auth/me', summary: 'Change the logged-in user', operationId: 'changeMe', access: 'session',
      body: MePatch, status: 200, response: MeOut, errors: ['CONFLICT'], audit: 'user.updated', handler: logins.changeMe }),
    route({ method: 'POST', path: '/api/auth/reauthenticate', summary: 'Confirm the password', operationId: 'reauthenticate', access: 'session',
      description: 'For requests that need a login in the last ten minutes. Wrong passwords count as failed logins.',
      body: ReauthenticateIn, status: 204, audit: 'session.reauthenticated', handler: logins.reauthenticate }),
    route({ method: 'GET', path: '/api/auth/sessions', summary: 'List your sessions', operationId: 'listSessions', access: 'session',
      status: 200, response: SessionsOut, handler: ownSessions.list }),
    route({ method: 'DELETE', path: '/api/auth/sessions', summary: 'End all your sessions', operationId: 'endAllSessions', access: 'session',
      description: 'Ends all sessions of the user, including the current one.',
      status: 204, replyHeaders: ['Set-Cookie'], audit: 'session.ended', handler: ownSessions.endAll }),
    route({ method: 'DELETE', path: '/api/auth/sessions/:sessionId', summary: 'End one of your sessions', operationId: 'endSession', access: 'session',
      status: 204, audit: 'session.ended', handler: ownSessions.end }),

    route({ method: 'GET', path: '/api/account', summary: 'Get the account', access: readForms,
      status: 200, response: AccountOut, handler: account.get }),
    route({ method: 'PATCH', path: '/api/account', summary: 'Change the account', operationId: 'changeAccount', access: writeForms,
      body: AccountPatch, status: 200, response: AccountOut, audit: 'account.updated', handler: account.change }),
    route({ method: 'POST', path: '/api/erasures', summary: 'Erase the data of a person by a field value', operationId: 'createErasure', access: writeSubmissions,
      description: 'Also needs `tasks:manage`. Data in the API is erased before the response; the event log, emails and files follow within a minute. The report is not stored. Repeating the request is safe and reports what was left.',
      body: ErasureIn, status: 201, response: ErasureOut, audit: 'erasure.created', handler: erasures.create }),

    route({ method: 'POST', path: '/api/users', summary: 'Create a user', access: manageUsers, needsRecentLogin: true,
      body: UserIn, status: 201, response: UserOut, idempotent: true, errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'user.created', handler: users.create }),
    route({ method: 'GET', path: '/api/users', summary: 'List the users of the account', operationId: 'listUsers', access: manageUsers,
      query: PageQuery, status: 200, response: UserOut, handler: users.list }),
    route({ method: 'PATCH', path: '/api/users/:userId', summary: 'Change a user', access: manageUsers, needsRecentLogin: true,
      description: 'Only owners can change owners. To change your own email or password, use PATCH /api/auth/me.',
      body: UserPatch, status: 200, response: UserOut, errors: ['CONFLICT'], audit: 'user.updated', handler: users.change }),
    route({ method: 'DELETE', path: '/api/users/:userId', summary: 'Delete a user and end their sessions', operationId: 'deleteUser', access: manageUsers, needsRecentLogin: true,
      status: 204, errors: ['CONFLICT'], audit: 'user.deleted', handler: users.remove }),

    route({ method: 'POST', path: '/api/keys', summary: 'Create an API key', operationId: 'createKey', access: manageKeys, needsRecentLogin: true,
      body: KeyIn, status: 201, response: KeyCreatedOut, idempotent: true, replyHeaders: ['Location'], audit: 'key.created', handler: keys.create }),
    route({ method: 'GET', path: '/api/keys', summary: 'List the API keys of the account', operationId: 'listKeys', access: manageKeys,
      query: PageQuery, status: 200, response: KeyOut, handler: keys.list }),
    route({ method: 'DELETE', path: '/api/keys/:keyId', summary: 'Delete an API key', operationId: 'deleteKey', access: manageKeys,
      status: 204, audit: 'key.deleted', handler: keys.remove }),

    route({ method: 'GET', path: '/api/audit-log', summary: 'List the audit log of the account', operationId: 'listAuditLog', access: { scope: 'audit:read' },
      description: 'Changes to the account, newest first. Rows never change and are kept for `SVC_AUDIT_RETENTION_DAYS`.',
      query: AuditQuery, status: 200, response: AuditEntryOut, handler: createAuditLogList(deps) }),

    route({ method: 'POST', path: '/api/forms', summary: 'Create a form', access: writeForms,
      body: FormIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], audit: 'form.created', handler: forms.create }),
    route({ method: 'GET', path: '/api/forms', summary: 'List forms', access: readForms,
      query: FormQuery, status: 200, response: FormOut, handler: forms.list }),
    route({ method: 'GET', path: FORM, summary: 'Get a form', access: readForms,
      status: 200, response: FormOut, replyHeaders: ['ETag'], handler: forms.get }),
    route({ method: 'PUT', path: FORM, summary: 'Replace a form', access: writeForms,
      body: FormIn, status: 200, response: FormOut, errors: ['CONFLICT'], requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      description: 'Trigger parameters that the body omits keep their saved values; null removes one. Everything else is replaced.',
      audit: 'form.updated', handler: forms.replace }),
    route({ method: 'DELETE', path: FORM, summary: 'Delete a form', access: writeForms,
      description: 'Also deletes its webhooks, inbound endpoints and submissions, and stops their deliveries.',
      status: 204, errors: ['NOT_FOUND'], audit: 'form.deleted', handler: forms.remove }),

    route({ method: 'POST', path: `${FORM}/duplicate`, summary: 'Duplicate a form', operationId: 'duplicateForm', access: writeForms,
      body: DuplicateIn, optionalBody: true, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      audit: 'form.created', handler: copies.duplicate }),
    route({ method: 'GET', path: `${FORM}/export`, summary: 'Export a form as a template', operationId: 'exportForm', access: readForms,
      status: 200, response: FormTemplate, handler: copies.export }),
    route({ method: 'POST', path: '/api/forms/import', summary: 'Create a form from a template', operationId: 'importForm', access: writeForms,
      body: FormTemplateIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], audit: 'form.created', handler: copies.import }),
    route({ method: 'GET', path: '/api/templates', summary: 'List the built-in templates', operationId: 'listTemplates', access: readForms,
      query: PageQuery, status: 200, response: FormTemplate, handler: copies.templates }),

    route({ method: 'GET', path: '/api/notification-addresses', summary: 'List the notification addresses', operationId: 'listNotificationAddresses',
      access: readForms, query: PageQuery, status: 200, response: NotificationAddressOut, handler: addresses.list }),
    route({ method: 'POST', path: '/api/notification-addresses/:addressId/verification', summary: 'Send another verification email', operationId: 'verifyNotificationAddress',
      access: writeForms, status: 202, response: NotificationAddressOut, errors: ['NOT_FOUND', 'CONFLICT'],
      description: 'Limits: one email an hour, three a day and six in 30 days per address; 50 a day per account.', audit: 'notification_address.verification_sent', handler: addresses.verify }),
    ...([['verify', links.askToVerify, links.verify], ['unsubscribe', links.askToUnsubscribe, links.unsubscribe]] as const).flatMap(([what, ask, act]) => [
      route({ method: 'GET', path: `/api/notifications/${what}`, summary: 'What a link in an email leads to', access: 'public', limit: 'public',
        isPage: true, query: EmailLinkQuery, status: 200, handler: ask }),
      route({ method: 'POST', path: `/api/notifications/${what}`, summary: 'What the button of that page does', access: 'public', limit: 'public',
        isPage: true, takesRawBody: true, query: EmailLinkQuery, status: 200, audit: null, handler: act }),
    ]),

    route({ method: 'POST', path: `${FORM}/submissions`, summary: 'Submit a form', access: 'public', crossOrigin: true, limit: 'public',
      keepsAnyText: true, body: SubmissionIn, status: 201, response: SubmissionCreatedOut, idempotent: true,
      requestHeaders: ['Svc-Hops'], errors: ['NOT_FOUND', 'ORIGIN_NOT_ALLOWED', 'LOOP_DETECTED'], audit: null, handler: submissions.submit }),
    route({ method: 'GET', path: `${FORM}/submissions`, summary: 'List the submissions of a form', operationId: 'listSubmissions',
      access: readSubmissions, query: SubmissionQuery, status: 200, response: SubmissionOut, handler: submissions.list }),
    route({ method: 'GET', path: `${FORM}/submissions/export`, summary: 'Export the submissions of a form', operationId: 'exportSubmissions',
      access: readSubmissions, query: ExportQuery, status: 200, replyTypes: EXPORT_TYPES, replyHeaders: ['Content-Disposition'],
      handler: exportSubmissions }),
    route({ method: 'GET', path: '/api/submissions/:submissionId', summary: 'Get a submission', access: readSubmissions,
      status: 200, response: SubmissionOut, errors: ['NOT_FOUND'], handler: submissions.get }),
    route({ method: 'DELETE', path: '/api/submissions/:submissionId', summary: 'Delete a submission', access: writeSubmissions,
      status: 204, audit: 'submission.deleted', handler: submissions.remove }),

    route({ method: 'POST', path: `${FORM}/events`, summary: 'Count a popup event', operationId: 'countPopupEvent', tag: 'Popup counters',
      access: 'public', crossOrigin: true, limit: 'counters', body: PopupEventIn, takesText: true, status: 204, audit: null, handler: popupCounters.event }),
    route({ method: 'GET', path: `${FORM}/stats`, summary: 'Get the statistics of a form by day', operationId: 'getStats',
      access: readForms, query: StatsQuery, status: 200, response: StatsOut, handler: popupCounters.stats }),
    route({ method: 'GET', path: '/api/stats', summary: 'Get the statistics of several forms', operationId: 'getStatsOfForms',
      access: readForms, query: FormsStatsQuery, status: 200, response: FormsStatsOut,
      description: 'Omits forms that do not exist or belong to another account.', handler: popupCounters.statsOfForms }),

    route({ method: 'POST', path: INBOUND, summary: 'Create the inbound endpoint', access: manageInbound,
      body: InboundIn, status: 201, response: InboundCreatedOut, idempotent: true,
      errors: ['CONFLICT'], replyHeaders: ['Location'], audit: 'inbound.created', handler: inbound.create }),
    route({ method: 'GET', path: INBOUND, summary: 'Get the inbound endpoint', access: manageInbound,
      status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.get }),
    route({ method: 'PATCH', path: INBOUND, summary: 'Change the inbound endpoint', access: manageInbound,
      body: InboundPatch, status: 200, response: InboundPatchedOut, errors: ['NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
      description: 'Changing or removing the secret needs a login in the last ten minutes.', audit: 'inbound.updated', handler: inbound.change }),
    route({ method: 'DELETE', path: INBOUND, summary: 'Delete the inbound endpoint', access: manageInbound,
      status: 204, errors: ['NOT_FOUND'], audit: 'inbound.deleted', handler: inbound.remove }),
    route({ method: 'GET', path: `${INBOUND}/requests`, summary: 'List the last 50 requests to the inbound endpoint', operationId: 'listInboundRequests',
      access: manageInbound, status: 200, response: InboundRequestsOut, handler: inbound.requests }),
    route({ method: 'POST', path: `${INBOUND}/rotate`, summary: 'Rotate the token of the inbound endpoint', operationId: 'rotateInboundToken', access: manageInbound, needsRecentLogin: true,
      status: 200, response: InboundRotatedOut, errors: ['NOT_FOUND'], audit: 'inbound.token_rotated', handler: inbound.rotate }),

    route({ method: 'POST', path: INBOUND_ENDPOINTS, summary: 'Add an inbound endpoint to a form', operationId: 'addInboundEndpoint', access: manageInbound,
      description: 'A form has at most 20. Routes under `/inbound` without an id address the oldest one.',
      body: InboundIn, status: 201, response: InboundCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], replyHeaders: ['Location'], audit: 'inbound.created', handler: inbound.add }),
    route({ method: 'GET', path: INBOUND_ENDPOINTS, summary: 'List the inbound endpoints of a form', operationId: 'listInboundEndpoints', access: manageInbound,
      query: PageQuery, status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.list }),
    route({ method: 'GET', path: INBOUND_ENDPOINT, summary: 'Get an inbound endpoint by id', operationId: 'getInboundEndpointById', access: manageInbound,
      status: 200, response: InboundOut, errors: ['NOT_FOUND'], handler: inbound.get }),
    route({ method: 'PATCH', path: INBOUND_ENDPOINT, summary: 'Change an inbound endpoint by id', operationId: 'changeInboundEndpointById', access: manageInbound,
      body: InboundPatch, status: 200, response: InboundPatchedOut, errors: ['NOT_FOUND', 'REAUTHENTICATION_REQUIRED'],
      description: 'Changing or removing the secret needs a login in the last ten minutes.', audit: 'inbound.updated', handler: inbound.change }),
    route({ method: 'DELETE', path: INBOUND_ENDPOINT, summary: 'Delete an inbound endpoint by id', operationId: 'deleteInboundEndpointById', access: manageInbound,
      status: 204, errors: ['NOT_FOUND'], audit: 'inbound.deleted', handler: inbound.remove }),
    route({ method: 'GET', path: `${INBOUND_ENDPOINT}/requests`, summary: 'List the last 50 requests to an inbound endpoint by id', operationId: 'listInboundRequestsById',
      access: manageInbound, status: 200, response: InboundRequestsOut, errors: ['NOT_FOUND'], handler: inbound.requests }),
    route({ method: 'POST', path: `${INBOUND_ENDPOINT}/rotate`, summary: 'Rotate the token of an inbound endpoint', operationId: 'rotateInboundTokenById', access: manageInbound, needsRecentLogin: true,
      status: 200, response: InboundRotatedOut, errors: ['NOT_FOUND'], audit: 'inbound.token_rotated', handler: inbound.rotate }),

    route({ method: 'POST', path: WEBHOOKS, summary: 'Create a webhook', access: manageWebhooks,
      body: WebhookIn, status: 201, response: WebhookCreatedOut, idempotent: true, replyHeaders: ['Location'],
      errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.created', handler: webhooks.create }),
    route({ method: 'GET', path: WEBHOOKS, summary: 'List the webhooks of a form', operationId: 'listWebhooks', access: manageWebhooks,
      query: PageQuery, status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.list }),
    route({ method: 'GET', path: WEBHOOK, summary: 'Get a webhook', access: manageWebhooks,
      status: 200, response: WebhookOut, errors: ['NOT_FOUND'], handler: webhooks.get }),
    route({ method: 'PATCH', path: WEBHOOK, summary: 'Change a webhook', access: manageWebhooks,
      body: WebhookPatch, status: 200, response: WebhookOut, errors: ['NOT_FOUND'], audit: 'webhook.updated', handler: webhooks.change }),
    route({ method: 'DELETE', path: WEBHOOK, summary: 'Delete a webhook and its deliveries', operationId: 'deleteWebhook', access: manageWebhooks,
      status: 204, errors: ['NOT_FOUND'], audit: 'webhook.deleted', handler: webhooks.remove }),
    route({ method: 'POST', path: `${WEBHOOK}/rotate-secret`, summary: 'Rotate the secret of a webhook', operationId: 'rotateWebhookSecret', access: manageWebhooks, needsRecentLogin: true,
      body: RotateSecretIn, optionalBody: true, status: 200, response: WebhookCreatedOut, idempotent: true,
      errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.secret_rotated', handler: createRotateSecret(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/test`, summary: 'Send a test event to a webhook', operationId: 'testWebhook', access: manageWebhooks,
      body: WebhookTestIn, optionalBody: true, status: 200, response: WebhookTestOut, errors: ['NOT_FOUND'],
      audit: 'webhook.tested', handler: createTestWebhook(deps) }),
    route({ method: 'POST', path: `${WEBHOOK}/recover`, summary: 'Recover failed and held deliveries', operationId: 'recoverDeliveries', access: manageWebhooks,
      body: RecoverIn, status: 202, response: RecoverOut, errors: ['NOT_FOUND', 'CONFLICT'], audit: 'webhook.recovered', handler: recover }),

    route({ method: 'GET', path: `${WEBHOOK}/deliveries`, summary: 'List the deliveries of a webhook', operationId: 'listDeliveries', access: manageWebhooks,
      query: DeliveryQuery, status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.list }),
    route({ method: 'GET', path: `${WEBHOOK}/deliveries/:deliveryId`, summary: 'Get a delivery', access: manageWebhooks,
      status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOK}/deliveries/:deliveryId/redeliver`, summary: 'Retry a delivery', operationId: 'redeliverDelivery', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'delivery.retried', handler: redeliver }),
    route({ method: 'GET', path: `${WEBHOOKS}/deliveries/:deliveryId`, summary: 'Get a delivery of any webhook of the form', operationId: 'getDeliveryOfForm', access: manageWebhooks,
      status: 200, response: DeliveryOut, errors: ['NOT_FOUND'], handler: deliveries.get }),
    route({ method: 'POST', path: `${WEBHOOKS}/deliveries/:deliveryId/redeliver`, summary: 'Retry a delivery of any webhook of the form', operationId: 'redeliverDeliveryOfForm', access: manageWebhooks,
      status: 202, response: DeliveryOut, errors: ['NOT_FOUND', 'CONFLICT', 'ERASED'], audit: 'delivery.retried', handler: redeliver }),
  ];
}
