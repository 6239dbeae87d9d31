import { newId, SCOPES, type IdPrefix } from '@svcforms/contracts';
import { createClient, startWebhookEndpoint, type Client } from '@svcforms/test-kit';
import { openAccount, productOf, startStandalone } from '../e2e/stack.ts';
import { populateAccount, type PopulatedAccount } from './account.ts';
import { NOT_IDS, readCalls, send, type ApiCall } from './api-document.ts';

/**
 * What each operation returns to another account, whatever the scopes of its key:
 * - `not found`: 404, as for an unknown id.
 * - `no data of the owner`: a success without any id of the owner.
 * - `own resource`: the operation creates something in the caller's account.
 * - `public`: the operation is public.
 * - `unauthorized`: 401, because the credentials don't belong to an account.
 * - `tested elsewhere`: the response doesn't end or isn't about ids; services/hitl tests which
 * events and tasks it contains.
 */
type AccessByOthers =
  'not found' | 'no data of the owner' | 'own resource' | 'public' | 'unauthorized' | 'tested elsewhere';

const ACCESS_BY_OTHERS: Readonly<Record<string, AccessByOthers>> = {
  logIn: 'public',
  logOut: 'unauthorized',
  getMe: 'unauthorized',
  changeMe: 'unauthorized',
  reauthenticate: 'unauthorized',
  listSessions: 'unauthorized',
  endAllSessions: 'unauthorized',
  endSession: 'unauthorized',

  getAccount: 'no data of the owner',
  changeAccount: 'no data of the owner',
  testSlack: 'no data of the owner',
  createErasure: 'no data of the owner',

  createUser: 'own resource',
  logInWithCode: 'public',
  getSlackConnection: 'unauthorized',
  connectSlack: 'unauthorized',
  disconnectSlack: 'unauthorized',
  getTotp: 'unauthorized',
  beginTotp: 'unauthorized',
  confirmTotp: 'unauthorized',
  replaceRecoveryCodes: 'unauthorized',
  disableTotp: 'unauthorized',
  changeLoginPolicy: 'no data of the owner',

  createGroup: 'own resource',
  listGroups: 'no data of the owner',
  getGroup: 'not found',
  changeGroup: 'not found',
  deleteGroup: 'not found',
  delegateTask: 'not found',
  createInvitation: 'own resource',
  listInvitations: 'no data of the owner',
  resendInvitation: 'not found',
  revokeInvitation: 'not found',
  previewInvitation: 'public',
  acceptInvitation: 'public',
  getLoginMethods: 'public',
  requestPasswordReset: 'public',
  resetPassword: 'public',

  listUsers: 'no data of the owner',
  changeUser: 'not found',
  deleteUser: 'not found',

  createKey: 'own resource',
  listKeys: 'no data of the owner',
  deleteKey: 'not found',

  listAgents: 'no data of the owner',
  disconnectAgent: 'not found',
  getAgentConsent: 'unauthorized',
  approveAgent: 'unauthorized',
  denyAgent: 'unauthorized',

  listAuditLog: 'no data of the owner',

  createForm: 'own resource',
  importForm: 'own resource',
  listForms: 'no data of the owner',
  listTemplates: 'no data of the owner',
  getForm: 'not found',
  replaceForm: 'not found',
  deleteForm: 'not found',
  discardDraft: 'not found',
  publishForm: 'not found',
  listFormVersions: 'not found',
  getFormVersion: 'not found',
  restoreFormVersion: 'not found',
  duplicateForm: 'not found',
  exportForm: 'not found',

  listNotificationAddresses: 'no data of the owner',
  verifyNotificationAddress: 'not found',

  submitForm: 'public',
  listSubmissions: 'not found',
  exportSubmissions: 'not found',
  getSubmission: 'not found',
  releaseSubmission: 'not found',
  deleteSubmission: 'not found',
  getSubmissionToken: 'public',
  listDeliveriesOfSubmission: 'not found',

  countPopupEvent: 'public',
  getStats: 'not found',
  getSummary: 'not found',
  getStatsOfForms: 'no data of the owner',

  createInboundEndpoint: 'not found',
  getInboundEndpoint: 'not found',
  changeInboundEndpoint: 'not found',
  deleteInboundEndpoint: 'not found',
  rotateInboundToken: 'not found',
  listInboundRequests: 'not found',
  addInboundEndpoint: 'not found',
  listInboundEndpoints: 'not found',
  getInboundEndpointById: 'not found',
  changeInboundEndpointById: 'not found',
  deleteInboundEndpointById: 'not found',
  rotateInboundTokenById: 'not found',
  listInboundRequestsById: 'not found',
  sendInbound: 'unauthorized',

  createWebhook: 'not found',
  listWebhooks: 'not found',
  getWebhook: 'not found',
  changeWebhook: 'not found',
  deleteWebhook: 'not found',
  rotateWebhookSecret: 'not found',
  testWebhook: 'not found',
  previewPayload: 'not found',
  recoverDeliveries: 'not found',
  getWebhookHealth: 'not found',
  listEventTypes: 'no data of the owner',
  listDeliveries: 'not found',
  getDelivery: 'not found',
  getDeliveryOfForm: 'not found',
  redeliverDelivery: 'not found',
  redeliverDeliveryOfForm: 'not found',
  previewWebhookFilter: 'not found',

  createAccountWebhook: 'own resource',
  listAccountWebhooks: 'no data of the owner',
  getAccountWebhook: 'not found',
  changeAccountWebhook: 'not found',
  deleteAccountWebhook: 'not found',
  rotateAccountWebhookSecret: 'not found',
  testAccountWebhook: 'not found',
  previewAccountPayload: 'not found',
  recoverAccountDeliveries: 'not found',
  getAccountWebhookHealth: 'not found',
  listAccountDeliveries: 'not found',
  getAccountDelivery: 'not found',
  redeliverAccountDelivery: 'not found',
  previewAccountWebhookFilter: 'no data of the owner',

  createTask: 'not found',
  listTasks: 'no data of the owner',
  getTask: 'not found',
  getTaskHistory: 'not found',
  claimTask: 'not found',
  releaseTask: 'not found',
  decideTask: 'not found',
  cancelTask: 'not found',
  deleteTask: 'not found',
  redeliverCallback: 'not found',
  redeemReceipt: 'tested elsewhere',
  streamEvents: 'tested elsewhere',
  mcpPOST: 'tested elsewhere',
};

const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  formId: 'frm',
  submissionId: 'sub',
  webhookId: 'whk',
  deliveryId: 'del',
  taskId: 'tsk',
  userId: 'usr',
  keyId: 'key',
  addressId: 'nad',
  inboundId: 'inb',
  sessionId: 'ses',
  invitationId: 'inv',
  agentId: 'agt',
  groupId: 'grp',
};
const nothing = Object.fromEntries(Object.entries(PREFIXES).map(([name, prefix]) => [name, newId(prefix)]));

let calls: ApiCall[];
let baseUrl: string;
let owner: PopulatedAccount;
let stranger: PopulatedAccount;

beforeAll(async () => {
  const stack = await startStandalone();
  ({ baseUrl } = stack);
  calls = await readCalls(baseUrl);
  const product = productOf(stack);
  const webhookEndpoint = await startWebhookEndpoint(stack.webhookEndpointOptions);
  owner = await populateAccount(product.client, webhookEndpoint.url);
  stranger = await populateAccount((await openAccount(product)).client, webhookEndpoint.url);
}, 120_000);

const callOf = (operationId: string): ApiCall => {
  const call = calls.find((candidate) => candidate.operationId === operationId);
  if (!call) throw new Error(`unknown operation ${operationId}`);
  return call;
};

/** Returns the example body, with the owner's form if it names one. */
const bodyWith = (call: ApiCall, ids: Readonly<Record<string, string>>) => {
  const body = call.body as Record<string, unknown> | undefined;
  return body && 'templateId' in body ? { body: { templateId: ids['formId'] } } : {};
};

/** Returns the query of an operation that takes ids in it. */
const queryFor = ({ operationId }: ApiCall) =>
  operationId === 'getStatsOfForms' ? `?formIds=${owner.ids['formId']}` : '';

const callsTo = (...kinds: AccessByOthers[]) =>
  Object.entries(ACCESS_BY_OTHERS)
    .filter(([, kind]) => kinds.includes(kind))
    .map(([operationId]) => operationId);

/** Removes the parts that differ between any two responses. */
const normalized = (text: string) =>
  text.replace(/"requestId":"[^"]*"/, '').replaceAll(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, 'an id');

const idsIn = (text: string) => Object.values(owner.ids).filter((id) => text.includes(id));

it('the table covers every API operation and nothing else', () => {
  expect(Object.keys(ACCESS_BY_OTHERS).toSorted()).toEqual(
    calls.map(({ operationId }) => operationId).toSorted(),
  );
});

describe('another account', () => {
  it.each(callsTo('not found'))('gets the same from %s as for an unknown id', async (operationId) => {
    const call = callOf(operationId);
    const foreign = await send(stranger.client, call, owner.ids, bodyWith(call, owner.ids));
    const missing = await send(stranger.client, call, nothing, bodyWith(call, nothing));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(normalized(foreign.text)).toBe(normalized(missing.text));
  });

  it.each(callsTo('not found'))('cannot reach by %s through its own form', async (operationId) => {
    const call = callOf(operationId);
    if (call.parameters.filter((name) => !(name in NOT_IDS)).length < 2) return;
    const { status } = await send(stranger.client, call, {
      ...owner.ids,
      formId: stranger.ids['formId'] ?? '',
    });
    expect(status).toBe(404);
  });

  it.each(callsTo('no data of the owner', 'own resource'))(
    'sees nothing of the owner in %s',
    async (operationId) => {
      const call = callOf(operationId);
      const { status, text } = await send(stranger.client, { ...call, path: call.path + queryFor(call) }, {});
      expect([200, 201, 409]).toContain(status);
      expect(idsIn(text)).toEqual([]);
    },
  );

  it.each(callsTo('unauthorized'))('has no credentials for %s', async (operationId) => {
    const credentials = [stranger.inbound.token, newId('key')];
    for (const token of credentials) {
      const { status } = await send(createClient({ baseUrl, token }), callOf(operationId), owner.ids);
      expect(status).toBe(401);
    }
    const forUsersOnly = callOf(operationId).access === 'session';
    expect((await send(stranger.client, callOf(operationId), owner.ids)).status).toBe(
      forUsersOnly ? 403 : 401,
    );
  });

  it('changes nothing', async () => {
    const reads = calls.filter(
      ({ method, operationId }) => method === 'get' && ACCESS_BY_OTHERS[operationId] === 'not found',
    );
    expect(reads.length).toBeGreaterThan(8);
    for (const call of reads) {
      const { status } = await send(owner.client, call, owner.ids);
      expect([call.operationId, status]).toEqual([call.operationId, 200]);
    }
  });
});

describe('a caller without', () => {
  const clients = new Map<string, Client>();

  async function clientWithout(scope: string): Promise<Client> {
    const known = clients.get(scope);
    if (known) return known;
    // Drafts may be read and written with either scope.
    const others = scope.startsWith('forms:') ? [scope, 'forms:draft', '*'] : [scope, '*'];
    const scopes = SCOPES.filter((candidate) => !others.includes(candidate));
    const { body } = await owner.client.post<{ key: string }>('/api/keys', {
      body: { name: 'k', scopes },
      expect: 201,
    });
    const client = createClient({ baseUrl, token: body.data.key });
    clients.set(scope, client);
    return client;
  }

  it.each(Object.keys(ACCESS_BY_OTHERS))(
    'the scope of %s is rejected with the name of the scope',
    async (operationId) => {
      const call = callOf(operationId);
      if (typeof call.access !== 'object') return;
      const { scope } = call.access;
      const { status, body } = await send(
        await clientWithout(scope),
        call,
        owner.ids,
        bodyWith(call, owner.ids),
      );
      expect({ status, ...body }).toMatchObject({
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
        requiredScope: scope,
      });
    },
  );

  it.each(Object.keys(ACCESS_BY_OTHERS))('credentials for %s is rejected', async (operationId) => {
    const call = callOf(operationId);
    if (call.access === 'public') return;
    for (const token of [undefined, 'svc_key_nonsense', stranger.inbound.token]) {
      const client = createClient(token === undefined ? { baseUrl } : { baseUrl, token });
      const { status, body, headers } = await send(client, call, owner.ids, bodyWith(call, owner.ids));
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
      // The MCP server also says where agents begin their authorization.
      const more = operationId === 'mcpPOST' ? / (error=.*)?resource_metadata=/ : /^Bearer$/;
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
      expect(headers.get('www-authenticate')).toMatch(more);
    }
  });
});
