import {
  newId,
  type FormField,
  type FormSettings,
  type Scope,
  type TaskIn,
  type TaskOut,
} from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import type { StoreAndBus } from '@svcforms/event-bus/testing';
import { addApiKey, startTestHost, UNLIMITED, type TestHost } from '@svcforms/http/testing';
import {
  API_KEYS,
  createSessions,
  GROUPS,
  newApiKey,
  USERS,
  type ApiKeyRecord,
  type GroupRecord,
  type UserRecord,
} from '@svcforms/identity';
import { createGuard, createGuardedClient, parsePolicy, type GuardedClient } from '@svcforms/outbound';
import type { Clock } from '@svcforms/primitives';
import {
  FORMS,
  SUBMISSIONS,
  TASKS,
  type FormRecord,
  type SubmissionRecord,
  type TaskRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey } from '@svcforms/signing';
import {
  poll,
  readEvents,
  startWebhookEndpoint,
  type Client,
  type EventReader,
  type EndpointResponse,
} from '@svcforms/test-kit';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createHitl } from '../src/service.ts';

const BASE_URL = 'https://forms.example';
const FIELDS: FormField[] = [
  { name: 'amount', type: 'number', required: true, max: 1000 },
  { name: 'reason', type: 'text' },
];

const POLICY = parsePolicy({ allowedTargets: ['127.0.0.0/8'], allowHttp: true });
const secretBox = createSecretBox([generateEncryptionKey()]);

interface ReplicaOptions {
  /** Milliseconds since the epoch. */
  now?: Clock;
  client?: Pick<GuardedClient, 'post'>;
  /** Default: that of the bus. */
  position?: () => Promise<string>;
  /** Default: the store of the backends. */
  store?: DocumentStore;
  callbackTimeoutMs?: number;
  slack?: Parameters<typeof createHitl>[0]['slack'];
  retryScheduleSeconds?: readonly number[];
  drainWithinMs?: number;
  /** Requests per minute and API key. Default: no limit. */
  keyLimit?: number;
}

/**
 * An account with a form and an all-scope key, and as many processes of the service as a test
 * starts.
 */
export async function openFixture(pair: StoreAndBus) {
  const { store } = pair;
  const accountId = newId('acc');
  const forms = store.collection<FormRecord>(FORMS);
  const tasks = store.collection<TaskRecord>(TASKS);
  const submissions = store.collection<SubmissionRecord>(SUBMISSIONS);
  const users = store.collection<UserRecord>(USERS);
  await store.ensureIndexes();
  const lines: string[] = [];
  const log = pino(new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }));
  const { key, keyId } = await addApiKey(store, { accountId });

  async function addUser(role: UserRecord['role'], account = accountId): Promise<UserRecord> {
    const user = newUser(role, account);
    await users.insertOne(user);
    return user;
  }

  /** Adds a user with a key of their own, which acts for them. */
  async function addPerson(role: UserRecord['role'] = 'reviewer', scopes: Scope[] = ['*']) {
    const user = await addUser(role);
    const own = await clientOf(user._id, scopes);
    return { user, id: user._id, client: own, key: own.key };
  }

  /** A client with a key that `createdBy` created: the id of a user or of a key. */
  async function clientOf(
    createdBy: string,
    scopes: Scope[] = ['*'],
  ): Promise<Client & { keyId: string; key: string }> {
    const { record, key: added } = newApiKey({
      accountId,
      name: 'Own',
      scopes,
      createdBy: { id: createdBy, authority: undefined },
      now: Date.now(),
    });
    await store.collection<ApiKeyRecord>(API_KEYS).insertOne(record);
    return { ...host.client(added), keyId: record._id, key: added };
  }

  async function addGroup(members: readonly string[], account = accountId): Promise<GroupRecord> {
    const _id = newId('grp');
    const at = new Date().toISOString();
    const group: GroupRecord = {
      _id,
      accountId: account,
      name: _id,
      nameKey: `${account}|${_id}`,
      members: [...members],
      createdAt: at,
      updatedAt: at,
    };
    await store.collection<GroupRecord>(GROUPS).insertOne(group);
    return group;
  }

  async function addForm(fields = FIELDS, settings: FormSettings = {}): Promise<FormRecord> {
    const form = newForm({ accountId, fields, settings });
    await forms.insertOne(form);
    return form;
  }

  /** Starts another process of the service on the same backends. */
  async function startReplica(options: ReplicaOptions = {}): Promise<TestHost> {
    const another = await pair.anotherBus();
    const bus = { ...another, position: options.position ?? (() => another.position()) };
    const {
      now,
      client = createGuardedClient(POLICY),
      callbackTimeoutMs = 10_000,
      retryScheduleSeconds = [0.1, 0.1],
      drainWithinMs,
      keyLimit,
    } = options;
    const service = createHitl(
      { callbackTimeoutMs, retryScheduleSeconds, baseUrl: BASE_URL, slack: options.slack ?? null },
      {
        store: options.store ?? store,
        bus,
        client,
        guard: createGuard(POLICY),
        secretBox,
        log,
        ...(now && { now }),
      },
    );
    return startTestHost({
      services: [service],
      store: options.store ?? store,
      bus,
      baseUrl: BASE_URL,
      ...(drainWithinMs === undefined ? {} : { limits: { drainWithinMs } }),
      ...(keyLimit === undefined ? {} : { rateLimits: { ...UNLIMITED, key: keyLimit } }),
    });
  }

  const owner = await addUser('owner');
  const form = await addForm();
  const host = await startReplica();
  const client = host.client(key);

  return {
    ...pair,
    accountId,
    key,
    keyId,
    owner,
    form,
    host,
    client,
    secretBox,
    tasks,
    submissions,
    forms,
    /** The log lines of all processes with this event. */
    logged: (event: string) => lines.filter((line) => line.includes(`"event":"${event}"`)),
    addUser,
    addPerson,
    /** Logs a user in. The client calls the API as the dashboard does. */
    logIn: async (user: UserRecord, at: TestHost = host): Promise<Client> => {
      const { token } = await createSessions({ store }).open(user);
      return withHeaders(at.client(), { cookie: `__Host-svc_session=${token}`, origin: BASE_URL });
    },
    addGroup,
    clientOf,
    users,
    groups: store.collection<GroupRecord>(GROUPS),
    addForm,
    startReplica,
    /** Adds a key to the account or to another one. */
    keyWith: async (scopes: Scope[], account = accountId) => {
      const added = await addApiKey(store, { accountId: account, scopes });
      return { ...added, client: host.client(added.key) };
    },
    createTask: (input: Partial<Record<keyof TaskIn, unknown>> = {}, by: Client = client) =>
      createTask(by, { templateId: form._id, prefill: { amount: 120 }, ...input }),
    decide: (task: Pick<TaskOut, 'id'>, outcome: string, by: Client = client, more: object = {}) =>
      by.post<TaskOut>(`/api/mcp/tasks/${task.id}/decision`, { body: { outcome, ...more } }),
    readEvents: (types: string, options: Parameters<typeof readEvents>[1] = {}, at: TestHost = host) =>
      readEvents(`${at.url}/api/mcp/events/${types}`, { token: key, ...options }),
    /** Starts an endpoint for callbacks. */
    listen: (respond?: () => EndpointResponse | Promise<EndpointResponse>) =>
      startWebhookEndpoint(respond ? { respond } : {}),
    /** Resolves with the task once it matches. */
    until: (
      task: Pick<TaskOut, 'id'>,
      matches: (task: TaskOut) => boolean,
      what: string,
      by: Client = client,
    ) =>
      poll(
        async () => {
          const { data } = (await by.get<TaskOut>(`/api/mcp/tasks/${task.id}`, { expect: 200 })).body;
          return matches(data) && data;
        },
        { what },
      ),
  };
}

export type HitlFixture = Awaited<ReturnType<typeof openFixture>>;

function newUser(role: UserRecord['role'], accountId: string): UserRecord {
  const _id = newId('usr');
  return {
    _id,
    accountId,
    email: `${_id}@example.com`.toLowerCase(),
    name: role,
    role,
    passwordHash: '',
    createdAt: new Date().toISOString(),
  };
}

function newForm(parts: Pick<FormRecord, 'accountId' | 'fields' | 'settings'>): FormRecord {
  const at = new Date().toISOString();
  return { _id: newId('frm'), name: 'Refund', ...parts, createdAt: at, updatedAt: at, version: 1 };
}

async function createTask(client: Client, body: object): Promise<TaskOut & { cursor: string }> {
  const response = await client.post<TaskOut>('/api/mcp/tasks', { body, expect: 201 });
  return { ...response.body.data, cursor: response.headers.get('svc-event-cursor') ?? '' };
}

/** Parses the frames of a stream. */
export function eventsIn(reader: EventReader): Record<string, unknown>[] {
  return reader.frames.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

/** A client that sends more headers with each request. */
function withHeaders(client: Client, more: Record<string, string>): Client {
  const extended = Object.entries(client).map(([method, call]) => [
    method,
    (path: string, options: Parameters<Client['get']>[1] = {}) =>
      call(path, { ...options, headers: { ...more, ...options.headers } }),
  ]);
  return Object.fromEntries(extended) as Client;
}
