import {
  newId,
  type AuditAction,
  type AuditEntryOut,
  type FormOut,
  type SessionOut,
  type TaskOut,
  type AccountWebhookCreatedOut,
  type WebhookCreatedOut,
} from '@svcforms/contracts';
import { readSettings } from '@svcforms/runtime';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import type { Route } from '@svcforms/http';
import { addApiKey, startTestHost } from '@svcforms/http/testing';
import {
  ACCOUNTS,
  AGENTS,
  createPasswordHasher,
  issueResetLink,
  OAUTH_ARTIFACTS,
  OAUTH_CLIENTS,
  USERS,
  type AccountRecord,
  type AgentRecord,
  type OAuthArtifactRecord,
  type OAuthClientRecord,
  type UserRecord,
} from '@svcforms/identity';
import {
  DELIVERIES,
  NOTIFICATION_ADDRESSES,
  type DeliveryRecord,
  type NotificationAddressRecord,
} from '@svcforms/records';
import { createOutbound } from '@svcforms/service-runner';
import { createSecretBox, generateEncryptionKey, hashToken } from '@svcforms/signing';
import {
  atEnd,
  poll,
  sessionCookie,
  startSlack,
  startWebhookEndpoint,
  type ApiResponse,
  type CallOptions,
  type Client,
} from '@svcforms/test-kit';
import { newSlackLink } from '@svcforms/slack';
import { Secret, TOTP } from 'otpauth';
import { pino } from 'pino';
import { createServices } from './services.ts';

/** Hashes at a low cost: a hash at full cost takes a quarter of a second. */
const PASSWORDS = createPasswordHasher({ cost: { N: 2 ** 4, r: 8, p: 1 } });
const PASSWORD = 'correct horse battery';
const SECRET = 'a secret of at least 16 characters';
const VALUE = 'ada-submitted@example.com';

/**
 * All services of the product on one host, and one account with an owner and a key for everything.
 */
async function openProduct() {
  const { store, bus } = openEmbeddedPair();
  const slack = await startSlack();
  const log = pino({ enabled: false });
  const settings = readSettings({
    SVC_ALLOWED_TARGETS: '127.0.0.0/8,::1/128',
    SVC_ALLOW_HTTP: 'true',
    SVC_BASE_URL: 'https://forms.example',
    SVC_SLACK_SIGNING_SECRET: slack.signingSecret,
    SVC_SLACK_BOT_TOKEN: slack.botToken,
    SVC_SLACK_API_URL: slack.apiUrl,
  });
  const secretBox = createSecretBox([generateEncryptionKey()]);
  const { services, close } = createServices(settings, {
    store,
    bus,
    isEmbeddedStore: true,
    insertWithEvents: undefined,
    ...(await createOutbound(settings)),
    secretBox,
    passwords: PASSWORDS,
    log,
  });
  atEnd(() => close());
  const routes = services.flatMap((service) => service.routes);
  const host = await startTestHost({ routes, store, bus });
  const accountId = newId('acc');
  const createdAt = new Date().toISOString();
  await store
    .collection<AccountRecord>(ACCOUNTS)
    .insertOne({ _id: accountId, name: 'A', plan: 'business', createdAt });
  const owner: UserRecord = {
    _id: newId('usr'),
    accountId,
    email: 'owner@example.com',
    name: 'Grace',
    role: 'owner',
    passwordHash: await PASSWORDS.hash(PASSWORD),
    createdAt,
  };
  await store.collection<UserRecord>(USERS).insertOne(owner);
  const { key, keyId } = await addApiKey(store, { accountId });
  const client = host.client(key);
  const webhookEndpoint = await startWebhookEndpoint({ respond: () => ({ status: 500 }) });

  const rows = async (query = '') =>
    (await client.get<AuditEntryOut[]>(`/api/audit-log?limit=100${query}`, { expect: 200 })).body.data;
  const login = async (email = owner.email, password = PASSWORD) => {
    const { headers } = await host
      .client()
      .post('/api/auth/login', { body: { email, password }, expect: 200 });
    return { cookie: sessionCookie({ headers }), origin: 'https://forms.example' };
  };
  /** Returns the token of a link in Slack that connects the owner. */
  const slackToken = () => {
    slack.addMember({ id: 'U0123456789', teamId: 'T0123456789', email: owner.email });
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    return newSlackLink(secretBox, { slackUser: 'T0123456789|U0123456789', expiresAt });
  };
  return {
    store,
    host,
    routes,
    accountId,
    owner,
    key,
    keyId,
    client,
    webhookEndpoint,
    rows,
    login,
    slackToken,
  };
}

type Product = Awaited<ReturnType<typeof openProduct>>;
let product: Product;
beforeAll(async () => void (product = await openProduct()));

let counted = 0;
const unique = () => `n${(counted += 1)}`;
const make = async <T>(path: string, body: object) =>
  (await product.client.post<T>(path, { body, expect: 201 })).body.data;

const FORM = () => ({ name: unique(), fields: [{ name: 'email', type: 'email', required: true }] });
const aForm = () => make<FormOut>('/api/forms', FORM());
const aDraft = async () => {
  const { id } = await aForm();
  await product.client.put(`/api/forms/${id}?draft=true`, { body: FORM(), expect: 200 });
  return { formId: id };
};
const aUser = () =>
  make<{ id: string }>('/api/users', {
    email: `${unique()}@example.com`,
    name: 'Ada',
    role: 'reviewer',
    password: PASSWORD,
  });
const aGroup = async (members: string[] = []) => ({
  groupId: (await make<{ id: string }>('/api/groups', { name: unique(), members })).id,
});
const anInvitation = () =>
  make<{ id: string; link: string }>('/api/invitations', {
    email: `${unique()}@example.com`,
    role: 'reviewer',
  });
/** A user who has begun to set up two-factor authentication. */
const aTotpSetup = async () => {
  const email = `${unique()}@example.com`;
  await make('/api/users', { email, name: 'Ada', role: 'reviewer', password: PASSWORD });
  const headers = await product.login(email);
  const begun = await product.host
    .client()
    .post<{ secret: string }>('/api/auth/totp', { headers, expect: 200 });
  return { email, headers, secret: begun.body.data.secret };
};
const totpCode = (secret: string, timestamp: number) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
const aTotpUser = async () => {
  const setup = await aTotpSetup();
  const body = { code: totpCode(setup.secret, Date.now()) };
  await product.host.client().post('/api/auth/totp/confirm', { body, headers: setup.headers, expect: 200 });
  return setup;
};
let ownHeaders: Record<string, string> = {};
const webhookBody = () => ({
  url: `${product.webhookEndpoint.url}/hook/${SECRET.replaceAll(' ', '-')}`,
  events: ['form.submission.new'],
  secret: SECRET,
  headers: { 'X-Api-Key': SECRET },
});
const aWebhook = async () => {
  const form = await aForm();
  const webhook = await make<WebhookCreatedOut>(`/api/forms/${form.id}/webhooks`, webhookBody());
  return { formId: form.id, webhookId: webhook.id };
};
const anAccountWebhook = async () => ({
  webhookId: (await make<AccountWebhookCreatedOut>('/api/webhooks', webhookBody())).id,
});
const inboundOf = async () => {
  const { id } = await aForm();
  await make(`/api/forms/${id}/inbound`, { secret: SECRET });
  return { formId: id };
};
const aTask = async (more: object = {}) => {
  const form = await aForm();
  const body = { templateId: form.id, prefill: { email: VALUE }, ...more };
  return { taskId: (await make<TaskOut>('/api/mcp/tasks', body)).id };
};
const aClaimedTask = async () => {
  const { taskId } = await aTask();
  await product.client.post(`/api/mcp/tasks/${taskId}/claim`, { expect: 200 });
  return { taskId };
};
const aDecidedTask = async () => {
  const { taskId } = await aTask({ callbackUrl: `${product.webhookEndpoint.url}/callback` });
  await product.client.post(`/api/mcp/tasks/${taskId}/decision`, {
    body: { outcome: 'approved' },
    expect: 200,
  });
  const read = async () => (await product.client.get<TaskOut>(`/api/mcp/tasks/${taskId}`)).body.data;
  await poll(async () => (await read()).callback?.state === 'failed', { what: 'the failed callback' });
  return { taskId };
};
const ACTION = { tool: 'refund', args: { amount: 1 } };
const anApprovedAction = async () => {
  const { taskId } = await aTask({ action: ACTION });
  const body = { outcome: 'approved' };
  const { data } = (await product.client.post<TaskOut>(`/api/mcp/tasks/${taskId}/decision`, { body })).body;
  return { taskId, receipt: data.receipt ?? '' };
};
const anEndpoint = async () => {
  const { id: formId } = await aForm();
  const { id } = await make<{ id: string }>(`/api/forms/${formId}/inbound/endpoints`, { secret: SECRET });
  return { formId, inboundId: id };
};
const aSession = async () => {
  const headers = await session();
  const { body } = await product.host
    .client()
    .get<SessionOut[]>('/api/auth/sessions', { headers, expect: 200 });
  return { sessionId: body.data.find(({ isCurrent }) => !isCurrent)?.id ?? '' };
};
const anAddress = async () => {
  const email = `${unique()}@example.com`;
  await make('/api/forms', { ...FORM(), settings: { notifications: { emails: [email] } } });
  const addresses = product.store.collection<NotificationAddressRecord>(NOTIFICATION_ADDRESSES);
  const address = await addresses.findOne({ accountId: product.accountId, email });
  // As an hour later: the first email was just requested.
  await addresses.updateOne(
    { _id: address?._id ?? '' },
    { $unset: { requestedAt: true, lastRequestedAt: true } },
  );
  return { addressId: address?._id ?? '' };
};
/** Stores a failed delivery to the webhook of the form, or to one of the account. */
const aDeliveryTo = async <T extends { webhookId: string; formId?: string }>(ids: T) => {
  const { webhookId, formId = (await aForm()).id } = ids;
  const deliveryId = newId('del');
  const createdAt = new Date().toISOString();
  await product.store.collection<DeliveryRecord>(DELIVERIES).insertOne({
    _id: deliveryId,
    accountId: product.accountId,
    formId,
    webhookId,
    ...(ids.formId === undefined && { ofAccount: true as const }),
    eventId: newId('evt'),
    eventType: 'form.submission.new',
    body: '{}',
    status: 'failed',
    attempts: [],
    createdAt,
    expireAt: '9999-01-01T00:00:00.000Z',
  });
  return { ...ids, deliveryId };
};
const aDelivery = async () => aDeliveryTo(await aWebhook());

const inAnHour = () => new Date(Date.now() + 3600_000).toISOString();

/** Stores an agent that the owner has connected. */
async function anAgent(): Promise<string> {
  const _id = newId('agt');
  await product.store.collection<AgentRecord>(AGENTS).insertOne({
    _id,
    accountId: product.accountId,
    userId: product.owner._id,
    clientId: 'a client',
    name: 'Agent',
    redirectHost: 'localhost',
    scopes: ['forms:read'],
    resource: 'https://forms.example/api/mcp',
    createdAt: new Date().toISOString(),
    expireAt: inAnHour(),
  });
  return _id;
}

/** Stores the request of an agent, as the authorization server does. */
async function aConsent(): Promise<string> {
  const uid = unique();
  const clientId = `client-${uid}`;
  const createdAt = new Date().toISOString();
  const metadata = JSON.stringify({ client_name: 'Agent' });
  await product.store
    .collection<OAuthClientRecord>(OAUTH_CLIENTS)
    .insertOne({ _id: clientId, metadata, createdAt, expireAt: inAnHour() });
  const payload = {
    params: { client_id: clientId, redirect_uri: 'http://localhost/callback', scope: 'forms:read' },
    returnTo: `https://forms.example/api/oauth/authorize/${uid}`,
    exp: Math.floor(Date.now() / 1000) + 3600,
  };
  await product.store.collection<OAuthArtifactRecord>(OAUTH_ARTIFACTS).insertOne({
    _id: hashToken(`Interaction:${uid}`),
    kind: 'Interaction',
    payload: JSON.stringify(payload),
    expireAt: inAnHour(),
  });
  return uid;
}

/**
 * How a test makes one successful request to a route: what it needs beforehand, then the request's
 * path parameters and body.
 */
interface Recipe {
  action: AuditAction;
  prepare?: () => Promise<Record<string, string>>;
  body?: (ids: Record<string, string>) => object;
  /** Of a user who has logged in. */
  headers?: () => Promise<Record<string, string>>;
}

const session = () => product.login();

const RECIPES: Readonly<Record<string, Recipe>> = {
  'POST /api/auth/login': {
    action: 'login.succeeded',
    body: () => ({ email: product.owner.email, password: PASSWORD }),
  },
  'POST /api/auth/logout': { action: 'session.ended', headers: session },
  'PATCH /api/auth/me': { action: 'user.updated', headers: session, body: () => ({ taskEmails: true }) },
  'POST /api/auth/reauthenticate': {
    action: 'session.reauthenticated',
    headers: session,
    body: () => ({ password: PASSWORD }),
  },
  'DELETE /api/auth/sessions/:sessionId': { action: 'session.ended', prepare: aSession, headers: session },
  'DELETE /api/auth/sessions': { action: 'session.ended', headers: session },
  'PATCH /api/account': { action: 'account.updated', body: () => ({ retentionDays: 3000 }) },
  'POST /api/account/slack/test': {
    action: 'account.slack_tested',
    prepare: async () => {
      const body = { slackChannel: 'C0123456789' };
      await product.client.patch('/api/account', { body, expect: 200 });
      return {};
    },
  },
  'POST /api/erasures': { action: 'erasure.created', body: () => ({ value: unique() }) },
  'POST /api/notification-addresses/:addressId/verification': {
    action: 'notification_address.verification_sent',
    prepare: anAddress,
  },
  'POST /api/forms/:formId/inbound/endpoints': {
    action: 'inbound.created',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: () => ({ secret: SECRET }),
  },
  'PATCH /api/forms/:formId/inbound/endpoints/:inboundId': {
    action: 'inbound.updated',
    prepare: anEndpoint,
    body: () => ({ isEnabled: false, secret: `${SECRET}!` }),
  },
  'DELETE /api/forms/:formId/inbound/endpoints/:inboundId': {
    action: 'inbound.deleted',
    prepare: anEndpoint,
  },
  'POST /api/forms/:formId/inbound/endpoints/:inboundId/rotate': {
    action: 'inbound.token_rotated',
    prepare: anEndpoint,
  },
  'DELETE /api/mcp/tasks/:taskId': { action: 'task.deleted', prepare: () => aTask() },
  'POST /api/users': {
    action: 'user.created',
    body: () => ({ email: `${unique()}@example.com`, name: 'Ada', role: 'reviewer', password: PASSWORD }),
  },
  'PATCH /api/users/:userId': {
    action: 'user.updated',
    prepare: async () => ({ userId: (await aUser()).id }),
    body: () => ({ name: 'Ada King' }),
  },
  'DELETE /api/users/:userId': {
    action: 'user.deleted',
    prepare: async () => ({ userId: (await aUser()).id }),
  },
  'POST /api/groups': { action: 'group.created', body: () => ({ name: unique(), members: [] }) },
  'PATCH /api/groups/:groupId': {
    action: 'group.updated',
    prepare: () => aGroup(),
    body: () => ({ name: unique() }),
  },
  'DELETE /api/groups/:groupId': { action: 'group.deleted', prepare: () => aGroup() },
  'POST /api/invitations': {
    action: 'invitation.created',
    body: () => ({ email: `${unique()}@example.com`, role: 'reviewer' }),
  },
  'POST /api/invitations/:invitationId/resend': {
    action: 'invitation.resent',
    prepare: async () => ({ invitationId: (await anInvitation()).id }),
  },
  'DELETE /api/invitations/:invitationId': {
    action: 'invitation.revoked',
    prepare: async () => ({ invitationId: (await anInvitation()).id }),
  },
  'POST /api/invitations/accept': {
    action: 'invitation.accepted',
    prepare: async () => ({ token: (await anInvitation()).link.split('#')[1] ?? '' }),
    body: ({ token }) => ({ token, name: 'Ada', password: PASSWORD }),
  },
  'POST /api/auth/password-resets/confirm': {
    action: 'user.password_reset',
    prepare: async () => {
      const { id } = await aUser();
      const inAnHour = new Date(Date.now() + 3600_000).toISOString();
      const token = await issueResetLink(product.store.collection<UserRecord>(USERS), id, inAnHour);
      return { token };
    },
    body: ({ token }) => ({ token, password: `${PASSWORD}!` }),
  },
  'PATCH /api/account/login-policy': {
    action: 'account.login_policy_changed',
    body: () => ({ secondFactorRequired: false }),
  },
  'POST /api/auth/login/second-factor': {
    action: 'login.succeeded',
    prepare: async () => {
      const { email, secret } = await aTotpUser();
      const { body } = await product.host
        .client()
        .post('/api/auth/login', { body: { email, password: PASSWORD }, expect: 401 });
      const code = totpCode(secret, Date.now() + 30_000);
      return { challenge: (body as unknown as { challenge: string }).challenge, code };
    },
    body: ({ challenge, code }) => ({ challenge, code }),
  },
  'POST /api/auth/totp/confirm': {
    action: 'totp.enabled',
    prepare: async () => {
      const { headers, secret } = await aTotpSetup();
      ownHeaders = headers;
      return { code: totpCode(secret, Date.now()) };
    },
    headers: async () => ownHeaders,
    body: ({ code }) => ({ code }),
  },
  'POST /api/auth/totp/recovery-codes': {
    action: 'totp.recovery_codes_replaced',
    prepare: async () => {
      ownHeaders = (await aTotpUser()).headers;
      return {};
    },
    headers: async () => ownHeaders,
  },
  'POST /api/auth/slack': {
    action: 'user.slack_connected',
    headers: session,
    body: () => ({ token: product.slackToken() }),
  },
  'DELETE /api/auth/slack': {
    action: 'user.slack_disconnected',
    prepare: async () => {
      const headers = await session();
      const body = { token: product.slackToken() };
      await product.host.client().post('/api/auth/slack', { headers, body, expect: 200 });
      return {};
    },
    headers: session,
  },
  'DELETE /api/auth/totp': {
    action: 'totp.disabled',
    prepare: async () => {
      ownHeaders = (await aTotpUser()).headers;
      return {};
    },
    headers: async () => ownHeaders,
  },
  'POST /api/keys': { action: 'key.created', body: () => ({ name: 'CRM', scopes: ['forms:read'] }) },
  'DELETE /api/keys/:keyId': {
    action: 'key.deleted',
    prepare: async () => ({
      keyId: (await make<{ id: string }>('/api/keys', { name: 'x', scopes: ['forms:read'] })).id,
    }),
  },
  'DELETE /api/agents/:agentId': {
    action: 'agent.disconnected',
    prepare: async () => ({ agentId: await anAgent() }),
  },
  'POST /api/oauth/consents/:consentId/approve': {
    action: 'agent.connected',
    prepare: async () => {
      const consentId = await aConsent();
      const { cookie, ...others } = await session();
      ownHeaders = { ...others, cookie: `${cookie}; svc_oauth=${consentId}` };
      return { consentId };
    },
    headers: async () => ownHeaders,
    body: () => ({ scopes: ['forms:read'] }),
  },
  'POST /api/forms': { action: 'form.created', body: FORM },
  'PUT /api/forms/:formId': {
    action: 'form.updated',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: FORM,
  },
  'DELETE /api/forms/:formId/draft': { action: 'form.draft_discarded', prepare: aDraft },
  'POST /api/forms/:formId/publish': { action: 'form.published', prepare: aDraft },
  'POST /api/forms/:formId/versions/:version/restore': {
    action: 'form.version_restored',
    prepare: async () => {
      const { id } = await aForm();
      await product.client.put(`/api/forms/${id}`, { body: { ...FORM(), name: VALUE }, expect: 200 });
      return { formId: id, version: '1' };
    },
  },
  'DELETE /api/forms/:formId': {
    action: 'form.deleted',
    prepare: async () => ({ formId: (await aForm()).id }),
  },
  'POST /api/forms/:formId/duplicate': {
    action: 'form.created',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: () => ({}),
  },
  'POST /api/forms/import': { action: 'form.created', body: () => ({ template: 1, ...FORM() }) },
  'POST /api/submissions/:submissionId/release': {
    action: 'submission.released',
    prepare: async () => {
      const { id } = await make<FormOut>('/api/forms', {
        ...FORM(),
        settings: { spam: { isEnabled: true } },
      });
      // A visitor's; programs with a key aren't suspicious.
      const { body } = await product.host
        .client()
        .post<{ submissionId: string }>(`/api/forms/${id}/submissions`, {
          body: { data: { email: VALUE } },
          expect: 201,
        });
      return { submissionId: body.data.submissionId };
    },
  },
  'DELETE /api/submissions/:submissionId': {
    action: 'submission.deleted',
    prepare: async () => {
      const { id } = await aForm();
      return make<{ submissionId: string }>(`/api/forms/${id}/submissions`, { data: { email: VALUE } }).then(
        ({ submissionId }) => ({ submissionId }),
      );
    },
  },
  'POST /api/forms/:formId/inbound': {
    action: 'inbound.created',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: () => ({ secret: SECRET }),
  },
  'PATCH /api/forms/:formId/inbound': {
    action: 'inbound.updated',
    prepare: inboundOf,
    body: () => ({ isEnabled: false, secret: `${SECRET}!` }),
  },
  'DELETE /api/forms/:formId/inbound': { action: 'inbound.deleted', prepare: inboundOf },
  'POST /api/forms/:formId/inbound/rotate': { action: 'inbound.token_rotated', prepare: inboundOf },
  'POST /api/forms/:formId/webhooks': {
    action: 'webhook.created',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: webhookBody,
  },
  'PATCH /api/forms/:formId/webhooks/:webhookId': {
    action: 'webhook.updated',
    prepare: aWebhook,
    body: () => ({ isEnabled: false, headers: { 'X-Token': SECRET }, isPublicKeySigned: true }),
  },
  'DELETE /api/forms/:formId/webhooks/:webhookId': { action: 'webhook.deleted', prepare: aWebhook },
  'POST /api/forms/:formId/webhooks/:webhookId/rotate-secret': {
    action: 'webhook.secret_rotated',
    prepare: aWebhook,
    body: () => ({ secret: `${SECRET}!` }),
  },
  'POST /api/forms/:formId/webhooks/:webhookId/test': {
    action: 'webhook.tested',
    prepare: aWebhook,
    body: () => ({}),
  },
  'POST /api/forms/:formId/webhooks/:webhookId/recover': {
    action: 'webhook.recovered',
    prepare: aWebhook,
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
  },
  'POST /api/forms/:formId/webhooks/:webhookId/deliveries/:deliveryId/redeliver': {
    action: 'delivery.retried',
    prepare: aDelivery,
  },
  'POST /api/forms/:formId/webhooks/deliveries/:deliveryId/redeliver': {
    action: 'delivery.retried',
    prepare: aDelivery,
  },
  'POST /api/webhooks': { action: 'webhook.created', body: webhookBody },
  'PATCH /api/webhooks/:webhookId': {
    action: 'webhook.updated',
    prepare: anAccountWebhook,
    body: () => ({ isEnabled: false, headers: { 'X-Token': SECRET }, isPublicKeySigned: true }),
  },
  'DELETE /api/webhooks/:webhookId': { action: 'webhook.deleted', prepare: anAccountWebhook },
  'POST /api/webhooks/:webhookId/rotate-secret': {
    action: 'webhook.secret_rotated',
    prepare: anAccountWebhook,
    body: () => ({ secret: `${SECRET}!` }),
  },
  'POST /api/webhooks/:webhookId/test': {
    action: 'webhook.tested',
    prepare: anAccountWebhook,
    body: () => ({}),
  },
  'POST /api/webhooks/:webhookId/recover': {
    action: 'webhook.recovered',
    prepare: anAccountWebhook,
    body: () => ({ since: '2026-01-01T00:00:00Z' }),
  },
  'POST /api/webhooks/:webhookId/deliveries/:deliveryId/redeliver': {
    action: 'delivery.retried',
    prepare: async () => aDeliveryTo(await anAccountWebhook()),
  },
  'POST /api/mcp/tasks': {
    action: 'task.created',
    prepare: async () => ({ formId: (await aForm()).id }),
    body: ({ formId }) => ({ templateId: formId, prefill: { email: VALUE } }),
  },
  'POST /api/mcp/tasks/:taskId/claim': { action: 'task.claimed', prepare: () => aTask() },
  'POST /api/mcp/tasks/:taskId/release': { action: 'task.released', prepare: aClaimedTask },
  'POST /api/mcp/tasks/:taskId/decision': {
    action: 'task.decided',
    prepare: () => aTask(),
    body: () => ({ outcome: 'approved' }),
  },
  'POST /api/mcp/tasks/:taskId/delegate': {
    action: 'task.delegated',
    prepare: async () => ({
      ...(await aTask({ policy: { users: [product.owner._id] } })),
      userId: (await aUser()).id,
    }),
    headers: () => product.login(),
    body: ({ userId }) => ({ to: userId }),
  },
  'POST /api/mcp/tasks/:taskId/cancel': {
    action: 'task.cancelled',
    prepare: () => aTask(),
    body: () => ({}),
  },
  'POST /api/mcp/tasks/:taskId/callback/redeliver': {
    action: 'task.callback_redelivered',
    prepare: aDecidedTask,
  },
  'POST /api/mcp/receipts/redeem': {
    action: 'receipt.redeemed',
    prepare: anApprovedAction,
    body: ({ receipt }) => ({ receipt, args: ACTION.args }),
  },
};

/** What manages nothing, or (MCP) adds its rows by tool: see "the MCP tools" below. */
const WITHOUT_ROW = [
  // These are calls of the OAuth protocol; what they start or end has a row of its own.
  'POST /api/oauth/register',
  'POST /api/oauth/token',
  'POST /api/oauth/revoke',
  // A denied request leaves nothing.
  'POST /api/oauth/consents/:consentId/deny',
  'POST /api/forms/:formId/submissions',
  'POST /api/forms/:formId/events',
  'POST /api/inbound/:formId',
  'POST /api/notifications/verify',
  'POST /api/notifications/unsubscribe',
  'POST /api/forms/:formId/webhooks/filter/preview',
  'POST /api/webhooks/filter/preview',
  'POST /api/mcp',
  'POST /api/invitations/preview',
  'POST /api/forms/:formId/webhooks/payload/preview',
  'POST /api/webhooks/payload/preview',
  // Adds its row after the response: services/forms-api tests it.
  'POST /api/auth/password-resets',
  // Changes nothing before it is confirmed.
  'POST /api/auth/totp',
  // The handler adds the row: services/hitl tests it.
  'POST /api/slack/interactions',
];

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const isMutating = ({ method }: Route) => method !== 'GET';

async function send(
  name: string,
  recipe: Recipe,
  given: Partial<CallOptions> = {},
): Promise<ApiResponse<unknown>> {
  const [method = '', path = ''] = name.split(' ');
  const ids = (await recipe.prepare?.()) ?? {};
  const headers = await recipe.headers?.();
  counted += 1;
  const call = method.toLowerCase() as keyof Client;
  const by = headers ? product.host.client() : product.client;
  before = await product.rows();
  return by[call](
    path.replace(/:(\w+)/g, (_, parameter: string) => ids[parameter] ?? ''),
    { ...(recipe.body && { body: recipe.body(ids) }), ...(headers && { headers }), ...given },
  );
}

let before: AuditEntryOut[] = [];
const added = async () => {
  const known = new Set(before.map(({ id }) => id));
  return (await product.rows()).filter(({ id }) => !known.has(id));
};

describe('the routes', () => {
  it('that are not GET each say what they add to the audit log', () => {
    const silent = product.routes.filter((route) => isMutating(route) && route.audit === undefined);
    expect(silent.map(nameOf)).toEqual([]);
  });

  it('are all in the table of this test: add a recipe for a new route that changes something', () => {
    const mutating = product.routes.filter(isMutating).map(nameOf);
    expect(mutating.toSorted()).toEqual([...Object.keys(RECIPES), ...WITHOUT_ROW].toSorted());
  });

  it.each(Object.entries(RECIPES))('%s adds exactly one entry, without secrets', async (name, recipe) => {
    const response = await send(name, recipe);
    expect([200, 201, 202, 204]).toContain(response.status);
    const rows = await added();
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9A-Z]{26}$/),
        createdAt: expect.stringMatching(/Z$/),
        actor: expect.objectContaining({
          type: expect.stringMatching(/^(user|key)$/),
          id: expect.any(String),
        }),
        ip: '127.0.0.1',
        action: recipe.action,
        target: expect.objectContaining({
          type: expect.any(String),
          id: expect.stringMatching(/^[a-z]{3}_/),
        }),
        changes: expect.any(Object),
      },
    ]);
    const text = JSON.stringify(rows);
    for (const secret of [SECRET, SECRET.replaceAll(' ', '-'), PASSWORD, VALUE, 'scrypt', 'svc_']) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('an entry', () => {
  it('says who did what to which resource, and what changed', async () => {
    const { formId, webhookId } = await aWebhook();
    const path = `/api/forms/${formId}/webhooks/${webhookId}`;
    await product.client.patch(path, {
      body: { isEnabled: false, url: `${product.webhookEndpoint.url}/other/${SECRET.replaceAll(' ', '-')}` },
      expect: 200,
    });
    const host = new URL(product.webhookEndpoint.url).host;
    expect((await product.rows(`&target=${webhookId}`))[0]).toMatchObject({
      actor: { type: 'key', id: product.keyId, name: 'Test' },
      action: 'webhook.updated',
      target: { type: 'webhook', id: webhookId, name: null },
      changes: { isEnabled: { from: true, to: false }, url: { from: host, to: host } },
    });
  });

  it('shows a new password as a change without a value, and a new role by its own action', async () => {
    const { id } = await aUser();
    await product.client.patch(`/api/users/${id}`, { body: { password: `${PASSWORD}!` }, expect: 200 });
    await product.client.patch(`/api/users/${id}`, { body: { role: 'admin', name: 'B' }, expect: 200 });
    expect((await product.rows(`&target=${id}`)).slice(0, 2)).toMatchObject([
      {
        action: 'user.role_changed',
        target: { type: 'user', id, name: 'B' },
        changes: { role: { from: 'reviewer', to: 'admin' }, name: { from: 'Ada', to: 'B' } },
      },
      { action: 'user.updated', changes: { password: {} } },
    ]);
  });

  it('names the parts of a form that changed, without their content', async () => {
    const form = await aForm();
    const body = { name: 'New', fields: [], settings: { allowedOrigins: ['https://a.example'] } };
    await product.client.put(`/api/forms/${form.id}`, { body, expect: 200 });
    const [row] = await product.rows(`&target=${form.id}`);
    expect(row?.changes).toEqual({
      name: { from: form.name, to: 'New' },
      version: { from: 1, to: 2 },
      fields: {},
      'settings.allowedOrigins': {},
    });
  });

  it('of a login names the user; a wrong password adds an entry, an unknown email none', async () => {
    const { owner } = product;
    const attempt = (email: string) =>
      product.host.client().post('/api/auth/login', { body: { email, password: 'wrong' }, expect: 401 });
    await attempt('nobody@example.com');
    await attempt(owner.email);
    const failures = await poll(
      async () => {
        const rows = await product.rows('&action=login.failed');
        return rows.length > 0 && rows;
      },
      { what: 'the row of the failed login' },
    );
    expect(failures).toMatchObject([
      {
        actor: { type: 'anonymous', id: null, name: null },
        ip: '127.0.0.1',
        target: { type: 'user', id: owner._id },
      },
    ]);
    await product.login();
    expect((await product.rows('&action=login.succeeded'))[0]).toMatchObject({
      actor: { type: 'user', id: owner._id, name: owner.name },
      target: { type: 'user', id: owner._id },
    });
  });
});

describe('a request', () => {
  it('that fails adds no entry', async () => {
    const before = await product.rows();
    await product.client.post('/api/forms', { body: { name: '' }, expect: 422 });
    await product.client.delete(`/api/forms/${newId('frm')}`, { expect: 404 });
    await product.host.client().delete(`/api/forms/${newId('frm')}`, { expect: 401 });
    expect(await product.rows()).toEqual(before);
  });

  it('that is repeated with its Idempotency-Key, or with the dedupeKey of a task, adds no second entry', async () => {
    const form = await aForm();
    const once = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const { body: response } = await product.client.post<{ id: string }>(path, { body, headers });
      return response.data.id;
    };
    const key = { 'idempotency-key': unique() };
    const body = FORM();
    const created = await once('/api/forms', body, key);
    expect(await once('/api/forms', body, key)).toBe(created);
    const task = { templateId: form.id, prefill: { email: VALUE }, dedupeKey: unique() };
    const asked = await once('/api/mcp/tasks', task);
    expect(await once('/api/mcp/tasks', task)).toBe(asked);
    const rows = [...(await product.rows(`&target=${created}`)), ...(await product.rows(`&target=${asked}`))];
    expect(rows.map(({ action }) => action)).toEqual(['form.created', 'task.created']);
  });

  it('that cancels a cancelled task adds no second entry, even at the same time', async () => {
    const { taskId } = await aTask();
    const cancel = () => product.client.post(`/api/mcp/tasks/${taskId}/cancel`, { expect: 200 });
    await Promise.all([cancel(), cancel(), cancel()]);
    await cancel();
    const rows = await product.rows(`&target=${taskId}`);
    expect(rows.map(({ action }) => action)).toEqual(['task.cancelled', 'task.created']);
  });

  it('whose process died before its response was stored has one entry when it is taken over', async () => {
    const key = { 'idempotency-key': unique() };
    const body = FORM();
    const create = async () =>
      (await product.client.post<FormOut>('/api/forms', { body, headers: key, expect: 201 })).body.data.id;
    const created = await create();
    const past = new Date(0).toISOString();
    await product.store
      .collection({ name: 'idempotency_keys', indexes: [], expireAt: 'expireAt' })
      .updateMany({}, { $unset: { reply: true }, $set: { runningUntil: past } });
    expect(await create()).toBe(created);
    expect(await product.rows(`&target=${created}`)).toHaveLength(1);
  });
});

describe('the MCP tools', () => {
  it('add an entry only if they change something', async () => {
    const form = await aForm();
    const call = async (name: string, args: object) => {
      const { text } = await product.client.post('/api/mcp', {
        body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
        headers: {
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': '2025-11-25',
        },
        expect: 200,
      });
      return /tsk_[0-9A-Z]{26}/.exec(text)?.[0] ?? '';
    };
    const taskId = await call('create_task', { formId: form.id, prefill: { email: VALUE } });
    await call('get_task', { taskId });
    await call('list_tasks', {});
    await call('cancel_task', { taskId });
    await call('cancel_task', { taskId });
    const asked = await call('request_approval', {
      formId: form.id,
      title: 'Ok?',
      prefill: { email: VALUE },
    });
    const actions = async (id: string) => (await product.rows(`&target=${id}`)).map(({ action }) => action);
    expect(await actions(taskId)).toEqual(['task.cancelled', 'task.created']);
    expect(await actions(asked)).toEqual(['task.created']);
  });
});

describe('the list', () => {
  it('is filtered by actor, action, target and time, and has pages', async () => {
    const { key, keyId } = await addApiKey(product.store, { accountId: product.accountId });
    const client = product.host.client(key);
    const created: string[] = [];
    for (let n = 0; n < 3; n++) {
      created.push((await client.post<FormOut>('/api/forms', { body: FORM(), expect: 201 })).body.data.id);
    }
    await client.delete(`/api/forms/${created[0]}`, { expect: 204 });
    const own = `&actor=${keyId}`;
    expect((await product.rows(own)).map(({ action }) => action)).toEqual([
      'form.deleted',
      'form.created',
      'form.created',
      'form.created',
    ]);
    const list = await product.rows(`${own}&action=form.created`);
    expect(list.map(({ target }) => target.id)).toEqual(created.toReversed());
    expect(await product.rows(`${own}&target=${created[0]}`)).toHaveLength(2);
    const [newest] = list;
    expect(await product.rows(`${own}&since=${newest?.createdAt}&action=form.created`)).toContainEqual(
      newest,
    );
    expect(await product.rows(`${own}&until=${newest?.createdAt}`)).not.toContainEqual(newest);

    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ApiResponse<AuditEntryOut[]> = await product.client.get(
        `/api/audit-log?limit=3${own}${cursor && `&cursor=${cursor}`}`,
        { expect: 200 },
      );
      pages.push(...page.body.data.map(({ id }) => id));
      cursor = page.body.pagination.nextCursor;
    }
    expect(pages).toEqual((await product.rows(own)).map(({ id }) => id));
  });

  it.each(['limit=0', 'limit=101', 'action=key.made', 'since=yesterday', 'cursor=x', 'who=me'])(
    'refuses %s',
    async (query) => {
      await product.client.get(`/api/audit-log?${query}`, { expect: 422 });
    },
  );

  it('needs the scope audit:read, and shows no other account', async () => {
    const { key } = await addApiKey(product.store, {
      accountId: product.accountId,
      scopes: ['audit:read'],
    });
    await product.host.client(key).get('/api/audit-log', { expect: 200 });
    const other = await addApiKey(product.store, {
      accountId: product.accountId,
      scopes: ['keys:manage', 'forms:write'],
    });
    await product.host.client(other.key).get('/api/audit-log', { expect: 403 });
    const stranger = await addApiKey(product.store, { accountId: newId('acc') });
    const { body } = await product.host.client(stranger.key).get('/api/audit-log', { expect: 200 });
    expect(body.data).toEqual([]);
  });

  it.each(['post', 'put', 'patch', 'delete'] as const)(
    'takes no %s: rows are never changed',
    async (method) => {
      await product.client[method]('/api/audit-log', { expect: 405 });
      const [row] = await product.rows();
      await product.client[method](`/api/audit-log/${row?.id}`, { expect: 404 });
    },
  );

  it('is read by owners and admins who have logged in', async () => {
    const headers = await product.login();
    expect((await product.host.client().get('/api/audit-log', { headers })).status).toBe(200);
  });
});
