import { newId, SCOPES, type IdPrefix } from '@svcforms/contracts';
import { createClient, startWebhookEndpoint, type Client } from '@svcforms/test-kit';
import { openAccount, productOf, startStandalone } from '../e2e/stack.ts';
import { populateAccount, type PopulatedAccount } from './account.ts';
import { readCalls, send, type ApiCall } from './api-document.ts';

/**
 * What each operation returns to another account, whatever the scopes of its key:
 * - `nothing there`: 404, as for an unknown id.
 * - `none of it`: a success without any id of the owner.
 * - `its own`: the operation creates something in the caller's account.
 * - `anybody`: the operation is public.
 * - `refused`: 401, because the credentials don't belong to an account.
 * - `other tests`: the response doesn't end or isn't about ids; services/hitl tests which events
 * and tasks it contains.
 */
type ToOthers = 'nothing there' | 'none of it' | 'its own' | 'anybody' | 'refused' | 'other tests';

const TO_OTHERS: Readonly<Record<string, ToOthers>> = {
  logIn: 'anybody',
  logOut: 'refused',
  getMe: 'refused',
  changeMe: 'refused',
  reauthenticate: 'refused',
  listSessions: 'refused',
  endAllSessions: 'refused',
  endSession: 'refused',

  getAccount: 'none of it',
  changeAccount: 'none of it',
  createErasure: 'none of it',

  createUser: 'its own',
  listUsers: 'none of it',
  changeUser: 'nothing there',
  deleteUser: 'nothing there',

  createKey: 'its own',
  listKeys: 'none of it',
  deleteKey: 'nothing there',

  listAuditLog: 'none of it',

  createForm: 'its own',
  importForm: 'its own',
  listForms: 'none of it',
  listTemplates: 'none of it',
  getForm: 'nothing there',
  replaceForm: 'nothing there',
  deleteForm: 'nothing there',
  duplicateForm: 'nothing there',
  exportForm: 'nothing there',

  listNotificationAddresses: 'none of it',
  verifyNotificationAddress: 'nothing there',

  submitForm: 'anybody',
  listSubmissions: 'nothing there',
  exportSubmissions: 'nothing there',
  getSubmission: 'nothing there',
  deleteSubmission: 'nothing there',

  countPopupEvent: 'anybody',
  getStats: 'nothing there',
  getStatsOfForms: 'none of it',

  createInboundEndpoint: 'nothing there',
  getInboundEndpoint: 'nothing there',
  changeInboundEndpoint: 'nothing there',
  deleteInboundEndpoint: 'nothing there',
  rotateInboundToken: 'nothing there',
  listInboundRequests: 'nothing there',
  addInboundEndpoint: 'nothing there',
  listInboundEndpoints: 'nothing there',
  getInboundEndpointById: 'nothing there',
  changeInboundEndpointById: 'nothing there',
  deleteInboundEndpointById: 'nothing there',
  rotateInboundTokenById: 'nothing there',
  listInboundRequestsById: 'nothing there',
  sendInbound: 'refused',

  createWebhook: 'nothing there',
  listWebhooks: 'nothing there',
  getWebhook: 'nothing there',
  changeWebhook: 'nothing there',
  deleteWebhook: 'nothing there',
  rotateWebhookSecret: 'nothing there',
  testWebhook: 'nothing there',
  recoverDeliveries: 'nothing there',
  listDeliveries: 'nothing there',
  getDelivery: 'nothing there',
  getDeliveryOfForm: 'nothing there',
  redeliverDelivery: 'nothing there',
  redeliverDeliveryOfForm: 'nothing there',

  createTask: 'nothing there',
  listTasks: 'none of it',
  getTask: 'nothing there',
  getTaskHistory: 'nothing there',
  claimTask: 'nothing there',
  releaseTask: 'nothing there',
  decideTask: 'nothing there',
  cancelTask: 'nothing there',
  deleteTask: 'nothing there',
  redeliverCallback: 'nothing there',
  streamEvents: 'other tests',
  mcpPOST: 'other tests',
  mcpGET: 'other tests',
  mcpDELETE: 'other tests',
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
const withIds = (call: ApiCall, ids: Readonly<Record<string, string>>) => {
  const body = call.body as Record<string, unknown> | undefined;
  return body && 'templateId' in body ? { body: { templateId: ids['formId'] } } : {};
};

/** Returns the query of an operation that takes ids in it. */
const queryFor = ({ operationId }: ApiCall) =>
  operationId === 'getStatsOfForms' ? `?formIds=${owner.ids['formId']}` : '';

const callsTo = (...kinds: ToOthers[]) =>
  Object.entries(TO_OTHERS)
    .filter(([, kind]) => kinds.includes(kind))
    .map(([operationId]) => operationId);

/** Removes the parts that differ between any two responses. */
const blurred = (text: string) =>
  text.replace(/"requestId":"[^"]*"/, '').replaceAll(/\b[a-z]{3}_[0-9A-Z]{26}\b/g, 'an id');

const idsIn = (text: string) => Object.values(owner.ids).filter((id) => text.includes(id));

it('the table covers every API operation and nothing else', () => {
  expect(Object.keys(TO_OTHERS).toSorted()).toEqual(calls.map(({ operationId }) => operationId).toSorted());
});

describe('another account', () => {
  it.each(callsTo('nothing there'))('gets the same from %s as for an unknown id', async (operationId) => {
    const call = callOf(operationId);
    const foreign = await send(stranger.client, call, owner.ids, withIds(call, owner.ids));
    const missing = await send(stranger.client, call, nothing, withIds(call, nothing));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(blurred(foreign.text)).toBe(blurred(missing.text));
  });

  it.each(callsTo('nothing there'))('cannot reach by %s through its own form', async (operationId) => {
    const call = callOf(operationId);
    if (call.parameters.length < 2) return;
    const { status } = await send(stranger.client, call, {
      ...owner.ids,
      formId: stranger.ids['formId'] ?? '',
    });
    expect(status).toBe(404);
  });

  it.each(callsTo('none of it', 'its own'))('sees nothing of the owner in %s', async (operationId) => {
    const call = callOf(operationId);
    const { status, text } = await send(stranger.client, { ...call, path: call.path + queryFor(call) }, {});
    expect([200, 201, 409]).toContain(status);
    expect(idsIn(text)).toEqual([]);
  });

  it.each(callsTo('refused'))('has no credentials for %s', async (operationId) => {
    const credentials = [stranger.inbound.token, newId('key')];
    for (const token of credentials) {
      const { status } = await send(createClient({ baseUrl, token }), callOf(operationId), owner.ids);
      expect(status).toBe(401);
    }
    const ofPeople = callOf(operationId).access === 'session';
    expect((await send(stranger.client, callOf(operationId), owner.ids)).status).toBe(ofPeople ? 403 : 401);
  });

  it('changes nothing', async () => {
    const reads = calls.filter(
      ({ method, operationId }) => method === 'get' && TO_OTHERS[operationId] === 'nothing there',
    );
    expect(reads.length).toBeGreaterThan(8);
    for (const call of reads) {
      const { status } = await send(owner.client, call, owner.ids);
      expect([call.operationId, status]).toEqual([call.operationId, 200]);
    }
  });
});

describe('a caller without', () => {
  const lacking = new Map<string, Client>();

  async function clientWithout(scope: string): Promise<Client> {
    const known = lacking.get(scope);
    if (known) return known;
    const scopes = SCOPES.filter((candidate) => candidate !== scope && candidate !== '*');
    const { body } = await owner.client.post<{ key: string }>('/api/keys', {
      body: { name: 'k', scopes },
      expect: 201,
    });
    const client = createClient({ baseUrl, token: body.data.key });
    lacking.set(scope, client);
    return client;
  }

  it.each(Object.keys(TO_OTHERS))(
    'the scope of %s is rejected with the name of the scope',
    async (operationId) => {
      const call = callOf(operationId);
      if (typeof call.access !== 'object') return;
      const { scope } = call.access;
      const { status, body } = await send(
        await clientWithout(scope),
        call,
        owner.ids,
        withIds(call, owner.ids),
      );
      expect({ status, ...body }).toMatchObject({
        status: 403,
        code: 'INSUFFICIENT_SCOPE',
        requiredScope: scope,
      });
    },
  );

  it.each(Object.keys(TO_OTHERS))('credentials for %s is rejected', async (operationId) => {
    const call = callOf(operationId);
    if (call.access === 'public') return;
    for (const token of [undefined, 'svc_key_nonsense', stranger.inbound.token]) {
      const client = createClient(token === undefined ? { baseUrl } : { baseUrl, token });
      const { status, body, headers } = await send(client, call, owner.ids, withIds(call, owner.ids));
      expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});
