import { newId } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openEmbeddedPair } from '@svcforms/event-bus/testing';
import { startTestHost } from '@svcforms/http/testing';
import { ACCOUNTS, type AccountRecord } from '@svcforms/identity';
import {
  FORMS,
  INBOUND_ENDPOINTS,
  INBOUND_REQUESTS,
  type FormRecord,
  type InboundEndpointRecord,
  type InboundRequestsRecord,
} from '@svcforms/records';
import { createSecretBox, generateEncryptionKey, hashToken } from '@svcforms/signing';
import { poll } from '@svcforms/test-kit';
import { pino } from 'pino';
import { createInboundGateway } from './service.ts';

const TOKEN = `svc_inb_${'t'.repeat(43)}`;
const AT = '2026-03-14T09:26:53.589Z';

let store: DocumentStore;
let start: (options?: { trustedProxies?: number }) => ReturnType<typeof startTestHost>;
beforeAll(() => {
  const pair = openEmbeddedPair();
  const { bus } = pair;
  store = pair.store;
  start = (options = {}) => {
    const deps = {
      store,
      bus,
      secretBox: createSecretBox([generateEncryptionKey()]),
      log: pino({ enabled: false }),
    };
    const gateway = createInboundGateway({ ...deps, now: () => Date.parse(AT) });
    return startTestHost({ services: [gateway], store, bus, ...options });
  };
});

async function openEndpoint(): Promise<{ formId: string; endpointId: string }> {
  const [accountId, formId, endpointId] = [newId('acc'), newId('frm'), newId('inb')];
  const times = { createdAt: AT, updatedAt: AT };
  const account: AccountRecord = { _id: accountId, name: 'Ada', plan: 'pro', createdAt: AT };
  await store.collection<AccountRecord>(ACCOUNTS).insertOne(account);
  const form: FormRecord = {
    _id: formId,
    accountId,
    name: 'x',
    fields: [{ name: 'age', type: 'number', label: 'Age' }],
    settings: {},
    version: 1,
    ...times,
  };
  await store.collection<FormRecord>(FORMS).insertOne(form);
  await store.collection<InboundEndpointRecord>(INBOUND_ENDPOINTS).insertOne({
    _id: endpointId,
    accountId,
    formId,
    tokenHash: hashToken(TOKEN),
    tokenLast4: 'tttt',
    fieldMapping: '{}',
    isEnabled: true,
    ...times,
  });
  return { formId, endpointId };
}

const records = () => store.collection<InboundRequestsRecord>(INBOUND_REQUESTS);
const noted = async (endpointId: string) => (await records().findOne({ _id: endpointId }))?.requests ?? [];

describe('the requests of an inbound endpoint', () => {
  it('are all logged, also refused ones and those that no handler saw, but never their content', async () => {
    const { formId, endpointId } = await openEndpoint();
    const host = await start({ trustedProxies: 1 });
    const path = `/api/inbound/${formId}`;
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const client = host.client(TOKEN);
    await client.post(path, { rawBody: '{"a":"é"}', headers, expect: 202 });
    await host.client('svc_inb_wrong').post(path, { body: {}, headers, expect: 401 });
    await client.post(path, { rawBody: '[1]', headers, expect: 400 });
    await client.post(path, { body: { age: 'secret' }, headers, expect: 422 });
    await client.post(path, { rawBody: 'x'.repeat(1024 * 1024 + 1), headers, expect: 413 });
    await host.stop();
    const request = { time: AT, ip: '203.0.113.7' };
    expect(await noted(endpointId)).toEqual([
      { ...request, status: 202, code: null, size: 10 },
      { ...request, status: 401, code: 'UNAUTHORIZED', size: 2 },
      { ...request, status: 400, code: 'INVALID_BODY', size: 3 },
      { ...request, status: 422, code: 'VALIDATION_FAILED', pointer: '/age', size: 16 },
      { ...request, status: 413, code: 'PAYLOAD_TOO_LARGE', size: 1024 * 1024 + 1 },
    ]);
    expect(JSON.stringify(await records().findOne({ _id: endpointId }))).not.toMatch(/svc_inb|é|secret/);
  });

  it('have a pointer that every store can hold, with whole characters', async () => {
    const { formId, endpointId } = await openEndpoint();
    const host = await start();
    for (const key of [String.raw`a\u0000b\ud83dc`, `${'a'.repeat(198)}👋`])
      await host.client(TOKEN).post(`/api/inbound/${formId}`, { rawBody: `{"${key}":1e999}`, expect: 422 });
    await host.stop();
    const pointers = (await noted(endpointId)).map(({ pointer }) => pointer);
    expect(pointers).toEqual(['/abc', `/${'a'.repeat(198)}`]);
  });

  it('are stored a moment later', async () => {
    const { formId, endpointId } = await openEndpoint();
    const host = await start();
    await host.client(TOKEN).post(`/api/inbound/${formId}`, { body: {}, expect: 202 });
    await poll(async () => (await noted(endpointId)).length === 1, { what: 'the note' });
  });

  it('are all stored when the processes have stopped', async () => {
    const { formId, endpointId } = await openEndpoint();
    const [one, two] = [await start(), await start()];
    await Promise.all(
      Array.from({ length: 80 }, (_, n) =>
        (n % 2 === 0 ? one : two).client(TOKEN).post(`/api/inbound/${formId}`, { body: { n }, expect: 202 }),
      ),
    );
    await one.stop();
    await two.stop();
    expect(await noted(endpointId)).toHaveLength(80);
  });

  it('replace the oldest ones', async () => {
    const { formId, endpointId } = await openEndpoint();
    const old = { time: AT, ip: '203.0.113.7', status: 202, code: null, size: 1 };
    const requests = Array.from({ length: 200 }, () => old);
    await records().insertOne({ _id: endpointId, formId, requests, expireAt: '2100-01-01T00:00:00.000Z' });
    const host = await start();
    await host.client('wrong').post(`/api/inbound/${formId}`, { body: {}, expect: 401 });
    await host.stop();
    const after = await noted(endpointId);
    expect(after).toHaveLength(200);
    expect(after.filter(({ status }) => status === 401)).toEqual([after.at(-1)]);
  });

  it('of a form without an endpoint, and of an unknown form, are not logged', async () => {
    const before = await records().count({});
    const host = await start();
    for (const formId of [newId('frm'), 'frm_x']) {
      await host.client(TOKEN).post(`/api/inbound/${formId}`, { body: {}, expect: 404 });
    }
    await host.stop();
    expect(await records().count({})).toBe(before);
  });
});
