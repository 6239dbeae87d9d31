import { newId, type BusEvent, type FormField, type FormSettings } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { startTestHost, type TestHost } from '@svcforms/http/testing';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import {
  FORMS,
  INBOUND_ENDPOINTS,
  inboundSecretContext,
  SUBMISSIONS,
  type FormRecord,
  type InboundEndpointRecord,
  type SubmissionRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, hashToken, signInbound } from '@svcforms/signing';
import { poll, type CallOptions } from '@svcforms/test-kit';
import { pino } from 'pino';
import { createInboundGateway } from './service.ts';

const TOKEN = `svc_inb_${'t'.repeat(43)}`;
const SECRET = 'a shared secret';
const FIELDS: FormField[] = [{ name: 'email', type: 'email', required: true }];
const secretBox = createSecretBox([generateEncryptionKey()]);

let store: DocumentStore;
let host: TestHost;
const events: BusEvent[] = [];

beforeAll(async () => {
  const pair = openEmbeddedPair();
  const { bus } = pair;
  store = pair.store;
  await bus.consume('test', { batch: 100, ackWaitMs: 30_000 }, async (batch) => {
    events.push(...batch.map(({ event }) => event));
  });
  const gateway = createInboundGateway({ store, bus, secretBox, log: pino({ enabled: false }) });
  host = await startTestHost({ services: [gateway], store, bus });
});

interface Situation {
  plan?: AccountRecord['plan'];
  form?: Partial<FormRecord>;
  /** `null`: the form has none. */
  endpoint?: Partial<InboundEndpointRecord> | null;
  secret?: string;
  settings?: FormSettings;
}

/** A form in a situation of its own. */
async function formIn(situation: Situation = {}): Promise<string> {
  const { plan = 'pro', endpoint = {}, secret } = situation;
  const [accountId, formId, endpointId] = [newId('acc'), newId('frm'), newId('inb')];
  const at = '2026-03-14T09:26:53.589Z';
  await store
    .collection<AccountRecord>(ACCOUNTS)
    .insertOne({ _id: accountId, name: 'Ada', plan, createdAt: at });
  await store.collection<FormRecord>(FORMS).insertOne({
    _id: formId,
    accountId,
    name: 'Contact',
    fields: FIELDS,
    settings: situation.settings ?? {},
    createdAt: at,
    updatedAt: at,
    version: 1,
    ...situation.form,
  });
  if (endpoint !== null) {
    await store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS).insertOne({
      _id: endpointId,
      accountId,
      formId,
      tokenHash: hashToken(TOKEN),
      tokenLast4: 'tttt',
      fieldMapping: '{}',
      isEnabled: true,
      ...(secret === undefined ? {} : { secret: secretBox.seal(secret, inboundSecretContext(endpointId)) }),
      createdAt: at,
      updatedAt: at,
      ...endpoint,
    });
  }
  return formId;
}

const post = (formId: string, options: CallOptions & { token?: string } = {}) =>
  host
    .client('token' in options ? options.token : TOKEN)
    .post<{ submissionId: string }>(`/api/inbound/${formId}`, {
      body: { email: 'ada@example.com' },
      ...options,
    });
const stored = (submissionId: string) =>
  store.collection<SubmissionRecord>(SUBMISSIONS).findOne({ _id: submissionId });

describe('an inbound submission', () => {
  it('is stored before the response, in the shape that the specification gives', async () => {
    const formId = await formIn({ endpoint: { fieldMapping: '{"mail":"email"}' } });
    const { status, body } = await post(formId, {
      body: { mail: 'ada@example.com', extra: [1], token: TOKEN },
      headers: { 'x-request-id': 'req-9' },
    });
    const { submissionId } = body.data;
    expect(status).toBe(202);
    expect(body).toEqual({
      success: true,
      message: expect.any(String),
      data: { submissionId: expect.stringMatching(/^sub_[0-9A-Z]{26}$/) },
    });
    expect(await stored(submissionId)).toMatchObject({
      formId,
      data: '{"email":"ada@example.com","extra":[1]}',
      metadata: { submittedVia: 'inbound' },
    });
    const own = await poll(() => {
      const found = events.filter((event) => event.submissionId === submissionId);
      return found.length === 2 && found;
    });
    expect(own.map(({ type, requestId }) => [type, requestId])).toEqual([
      ['form.submission.new', 'req-9'],
      ['submission.created', 'req-9'],
    ]);
  });

  it('stores address and user agent if the form says so', async () => {
    const formId = await formIn({ settings: { metadata: { includeIp: true, includeUserAgent: true } } });
    const { body } = await post(formId, { headers: { 'user-agent': 'crm/1' } });
    expect(await stored(body.data.submissionId)).toMatchObject({
      metadata: { submittedVia: 'inbound', ipAddress: '127.0.0.1', userAgent: 'crm/1' },
    });
  });

  it('is read as JSON with any content type, because many systems send another one', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await post(await formIn(), { headers })).status).toBe(202);
  });

  it('can have its token in the body', async () => {
    const { status } = await post(await formIn(), {
      token: undefined,
      body: { email: 'ada@example.com', token: TOKEN },
    } as CallOptions);
    expect(status).toBe(202);
  });

  it('logs the ids of what it stored, but neither the token nor the values', async () => {
    const formId = await formIn();
    const { body } = await post(formId, { body: { email: 'ada@example.com', note: 'private words' } });
    expect(host.logged().at(-1)).toMatchObject({
      event: 'submission.accepted',
      formId,
      submissionId: body.data.submissionId,
      status: 202,
    });
    expect(JSON.stringify(host.logged())).not.toMatch(/svc_inb_|private words|ada@example/);
  });

  it('with an Idempotency-Key is stored once', async () => {
    const formId = await formIn();
    const headers = { 'idempotency-key': 'k1' };
    const responses = [await post(formId, { headers }), await post(formId, { headers })];
    expect(responses.map(({ status }) => status)).toEqual([202, 202]);
    expect(responses[1]?.body).toEqual(responses[0]?.body);
    expect(responses[1]?.headers.get('idempotency-replayed')).toBe('true');
    expect(await store.collection<SubmissionRecord>(SUBMISSIONS).count({ formId })).toBe(1);
    const other = await post(formId, { headers, body: { email: 'b@example.com' } });
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });
});

describe('a signed inbound submission', () => {
  const bytes = Buffer.from('{ "email":"ada@example.com",\r\n"note":"👋 \u2028" }');
  const hex = signInbound(bytes, SECRET);

  it.each([
    ['bare', hex],
    ['with its prefix', `sha256=${hex}`],
    ['in capitals', hex.toUpperCase()],
  ])('is accepted if its signature is %s', async (_, header) => {
    const formId = await formIn({ secret: SECRET });
    const { status } = await post(formId, {
      rawBody: bytes,
      headers: { 'x-svcforms-signature-256': header },
    });
    expect(status).toBe(202);
  });

  it.each([
    ['is not there', undefined],
    ['is empty', ''],
    ['is too short', hex.slice(2)],
    ['is too long', `${hex}00`],
    ['is no hex', 'z'.repeat(64)],
    ['has another prefix', `sha1=${hex}`],
    ['is of other bytes', signInbound('{}', SECRET)],
    ['is of another secret', signInbound(bytes, 'another secret')],
  ])('is refused if its signature %s', async (_, header) => {
    const formId = await formIn({ secret: SECRET });
    const { status, body } = await post(formId, {
      rawBody: bytes,
      headers: { 'x-svcforms-signature-256': header },
    });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'INVALID_SIGNATURE' });
  });

  it('is not checked if the endpoint has no secret', async () => {
    const { status } = await post(await formIn(), { headers: { 'x-svcforms-signature-256': 'nonsense' } });
    expect(status).toBe(202);
  });
});

describe('the checks of an inbound submission', () => {
  // Each row has all the faults of the rows below it, so that it shows the order as well.
  const worst: Situation = { plan: 'starter', endpoint: { isEnabled: false }, secret: SECRET };
  it.each<[string, number, string, Situation, CallOptions & { token?: string }]>([
    [
      'the form is deleted',
      404,
      'NOT_FOUND',
      { ...worst, form: { deletedAt: '2026-03-14T09:26:53.589Z' } },
      { token: 'wrong', rawBody: '[' },
    ],
    ['there is no endpoint', 401, 'UNAUTHORIZED', { ...worst, endpoint: null }, { rawBody: '[' }],
    ['the token is wrong', 401, 'UNAUTHORIZED', worst, { token: 'wrong', rawBody: '[' }],
    [
      'the token of the header is wrong, though the body’s is right',
      401,
      'UNAUTHORIZED',
      worst,
      { token: 'wrong', body: { token: TOKEN } },
    ],
    ['the endpoint is off', 403, 'ENDPOINT_DISABLED', worst, { rawBody: '[' }],
    ['the plan is too small', 403, 'PLAN_RESTRICTED', { ...worst, endpoint: {} }, { rawBody: '[' }],
    ['the signature is missing', 401, 'INVALID_SIGNATURE', { secret: SECRET }, { rawBody: '[' }],
    ['the body is no JSON', 400, 'INVALID_BODY', {}, { rawBody: '[' }],
    ['the body is empty', 400, 'INVALID_BODY', {}, { rawBody: '' }],
    ['the body is a list', 400, 'INVALID_BODY', {}, { rawBody: '[]' }],
    ['the body is null', 400, 'INVALID_BODY', {}, { rawBody: 'null' }],
    ['a number is infinite', 422, 'VALIDATION_FAILED', {}, { rawBody: '{"extra":[{"a":1e400}]}' }],
    ['a value does not fit', 422, 'VALIDATION_FAILED', {}, { body: { email: 'nobody' } }],
  ])('refuse it if %s: %d %s', async (_, status, code, situation, options) => {
    const formId = await formIn(situation);
    const response = await post(formId, options);
    expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
    expect(await store.collection<SubmissionRecord>(SUBMISSIONS).count({ formId })).toBe(0);
  });

  it.each([newId('frm'), 'frm_1', 'nonsense'])('find no form with the id %s', async (formId) => {
    expect((await post(formId)).body.code).toBe('NOT_FOUND');
  });

  it.each([
    ['free', 403],
    ['starter', 403],
    ['pro', 202],
    ['business', 202],
  ] as const)('responds to the plan %s with %d', async (plan, status) => {
    expect((await post(await formIn({ plan }))).status).toBe(status);
  });

  it('accept no token in a body that can’t be parsed', async () => {
    const { body } = await post(await formIn(), {
      token: undefined,
      rawBody: `{"token":"${TOKEN}"`,
    } as CallOptions);
    expect(body.code).toBe('UNAUTHORIZED');
  });

  it('accept no token of another form', async () => {
    const other = await formIn({ endpoint: { tokenHash: hashToken('svc_inb_other') } });
    expect((await post(other)).body.code).toBe('UNAUTHORIZED');
  });

  it('apply changes immediately', async () => {
    const formId = await formIn();
    expect((await post(formId)).status).toBe(202);
    await store
      .collection<InboundEndpointRecord>(INBOUND_ENDPOINTS)
      .updateOne({ formId }, { $set: { isEnabled: false } });
    expect((await post(formId)).body.code).toBe('ENDPOINT_DISABLED');
  });
});
