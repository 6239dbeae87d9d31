import type { Scope } from '@svcforms/contracts';
import type { DocumentStore } from '@svcforms/document-store';
import { openTestStore } from '@svcforms/document-store/testing';
import { API_KEYS, newApiKey, type ApiKeyRecord } from '@svcforms/identity';
import type { Clock } from '@svcforms/primitives';
import { atEnd, createClient, TEST_TIMEOUT_MS, type Client } from '@svcforms/test-kit';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { createHost, type HostBus, type HostOptions, type Service } from '../src/app/host.ts';
import type { Route } from '../src/routes/route.ts';

export { UNLIMITED } from '../src/limits/rate-limits.ts';

/** Tests that serve requests can be slow on a busy machine. */
jest.setTimeout(2 * TEST_TIMEOUT_MS);

/** Stores a new API key of the account. */
export async function addApiKey(
  store: DocumentStore,
  { accountId, scopes = ['*'] }: { accountId: string; scopes?: Scope[] },
): Promise<{ key: string; keyId: string }> {
  const { record, key } = newApiKey({ accountId, name: 'Test', scopes, now: Date.now() });
  await store.collection<ApiKeyRecord>(API_KEYS).insertOne(record);
  return { key, keyId: record._id };
}

export interface TestHost {
  url: string;
  port: number;
  client: (token?: string) => Client;
  /** Returns the parsed log lines, oldest first. */
  logged: () => Record<string, unknown>[];
  stop: () => Promise<void>;
}

export interface TestHostOptions extends Partial<HostOptions> {
  routes?: readonly Route[];
  store?: DocumentStore;
  bus?: HostBus;
  now?: Clock;
}

/**
 * Serves routes or services on a free port of 127.0.0.1, until it is stopped or the test file ends.
 */
export async function startTestHost(given: TestHostOptions): Promise<TestHost> {
  const { routes = [], store = openTestStore(), bus = { ping: async () => {} }, now, ...options } = given;
  const lines: string[] = [];
  const log = pino(
    { level: 'trace', formatters: { level: (level) => ({ level }) } },
    new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }),
  );
  const service: Service = { routes, start: async () => {}, stop: async () => {} };
  const host = createHost(
    {
      services: [service],
      host: '127.0.0.1',
      port: 0,
      baseUrl: 'https://forms.example',
      trustedProxies: 0,
      ...options,
      limits: { drainWithinMs: 100, ...options.limits },
    },
    { store, bus, log, ...(now && { now }) },
  );
  const port = await host.start();
  const forget = atEnd(() => host.stop());
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    client: (token) => createClient({ baseUrl: url, ...(token === undefined ? {} : { token }) }),
    logged: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    async stop() {
      forget();
      await host.stop();
    },
  };
}
