import { startProcess, tempFolder, type ProcessName } from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, expectFailedStart } from './failed-start.ts';

jest.setTimeout(60_000);

const SERVICES = ['forms-api', 'inbound-gateway', 'webhook-dispatcher'] as const;
const PROCESSES: readonly ProcessName[] = ['standalone', ...SERVICES];

const BACKENDS = { NATS_URL: 'nats://127.0.0.1:1', MONGODB_URL: 'mongodb://127.0.0.1:1/svcforms' };
const KEY = { SVC_ENCRYPTION_KEY: randomBytes(32).toString('base64') };

const { configuration: code } = EXIT;

describe('a process with an invalid setting', () => {
  it.each<[ProcessName, string, string]>([
    ['standalone', 'SVC_PORT', '80a'],
    ['forms-api', 'SVC_BASE_URL', 'example.com'],
    ['standalone', 'SVC_BASE_URL', 'https://example.com/forms'],
    ['standalone', 'NATS_URL', 'nats://'],
    ['inbound-gateway', 'NATS_URL', 'nats://127.0.0.1:1,127.0.0.1:2'],
    ['forms-api', 'SVC_STREAM_REPLICAS', '2'],
    ['inbound-gateway', 'MONGODB_URL', '127.0.0.1:27017'],
    ['standalone', 'MONGODB_URL', 'mongodb://'],
    ['forms-api', 'SVC_BOOTSTRAP_PLAN', 'gold'],
    ['webhook-dispatcher', 'SVC_RETRY_SCHEDULE', '1,soon'],
    ['standalone', 'SVC_ALLOWED_TARGETS', '10.0.0.0/33'],
    ['forms-api', 'SVC_ALLOW_HTTP', 'yes'],
    ['standalone', 'SVC_TARGET_CA', '/nowhere/ca.pem'],
    ['inbound-gateway', 'SVC_RATE_LIMIT_INBOUND', '-1'],
    ['standalone', 'LOG_LEVEL', 'loud'],
  ])('exits when it is %s and %s is %s', async (name, variable, value) => {
    const env = { ...BACKENDS, ...KEY, [variable]: value };
    await expectFailedStart(name, env, { code, message: variable });
  });

  it('exits when the driver rejects an option of MONGODB_URL', async () => {
    const env = { ...BACKENDS, ...KEY, MONGODB_URL: `${BACKENDS.MONGODB_URL}?nonsense=1` };
    await expectFailedStart('forms-api', env, { code, message: 'MONGODB_URL: not a MongoDB address' });
  });

  it('says how to write a password with signs that separate the parts of MONGODB_URL', async () => {
    const env = { MONGODB_URL: 'mongodb://ada:hunter2@home@127.0.0.1:1/a' };
    const message = 'percent-encoded characters such as @ : / % in a user or password';
    await expectFailedStart('standalone', env, { code, message, secret: 'hunter2' });
  });

  it.each([
    ['MONGODB_URL', 'mongodb://ada:hunter2@127.0.0.1:1/a.b'],
    ['SVC_ALLOWED_TARGETS', '::ffff:10.0.0.0/104'],
  ])('names %s in the only line if it is %s, whose format alone is right', async (variable, value) => {
    const env = { [variable]: value };
    await expectFailedStart('standalone', env, { code, message: `: ${variable}: `, secret: 'hunter2' });
  });

  it('exits when SVC_RETRY_SCHEDULE ends after deliveries are deleted', async () => {
    const env = { ...BACKENDS, ...KEY, SVC_RETRY_SCHEDULE: '86400,1209600,1209600' };
    const message = 'SVC_RETRY_SCHEDULE must add up to at most 25 days, 2160000';
    await expectFailedStart('webhook-dispatcher', env, { code, message });
  });

  it('exits when NATS_URL has a scheme that its client does not support', async () => {
    const env = { ...BACKENDS, ...KEY, NATS_URL: 'wss://nats.example' };
    await expectFailedStart('forms-api', env, { code, message: 'NATS_URL' });
  });

  it.each([
    ['SVC_BOOTSTRAP_PASSWORD', 'tooshrt'],
    ['SVC_BOOTSTRAP_PASSWORD', 'password1234'],
    ['SVC_BOOTSTRAP_API_KEY', 'svc_key_secret'],
    ['SVC_ENCRYPTION_KEY', 'c2VjcmV0'],
  ])('does not print an invalid %s', async (variable, secret) => {
    await expectFailedStart('standalone', { [variable]: secret }, { code, message: variable, secret });
  });

  it.each(PROCESSES)('exits when it is %s and a setting is unknown', async (name) => {
    const env = { ...BACKENDS, ...KEY, SVC_RETRY_SHEDULE: '1' };
    await expectFailedStart(name, env, { code, message: 'SVC_RETRY_SHEDULE is not a known setting' });
  });
});

it.each<Record<string, string>>([
  {
    OTEL_SDK_DISABLED: 'true',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
  },
  { OTEL_PROPAGATORS: 'tracecontext,b3', OTEL_TRACES_EXPORTER: 'console' },
])(
  'a process starts with variables of OpenTelemetry that it does not support if it is off: %j',
  async (env) => {
    const product = await startProcess('standalone', { env });
    expect(await product.stop()).toBe(0);
  },
);

describe.each(SERVICES)('%s', (name) => {
  it.each([
    ['NATS_URL', { ...KEY, MONGODB_URL: BACKENDS.MONGODB_URL }],
    ['MONGODB_URL', { ...KEY, NATS_URL: BACKENDS.NATS_URL }],
    ['SVC_ENCRYPTION_KEY', BACKENDS],
  ])('exits without %s', async (variable, env) => {
    await expectFailedStart(name, env, { code, message: `${variable} ` });
  });
});

describe('embed-cdn', () => {
  it('exits without MONGODB_URL, and needs neither NATS nor the encryption key', async () => {
    await expectFailedStart('embed-cdn', {}, { code, message: 'MONGODB_URL ' });
    const { MONGODB_URL } = BACKENDS;
    // It gets as far as the server, which isn't there.
    const message = "MongoDB at 127.0.0.1:1 doesn't respond: connect ECONNREFUSED 127.0.0.1:1";
    await expectFailedStart('embed-cdn', { MONGODB_URL }, { code: EXIT.unavailable, message });
  });
});

describe.each(['NATS_CREDS_FILE', 'NATS_NKEY_SEED_FILE', 'NATS_CA_FILE'])('%s', (variable) => {
  it.each<[string, ProcessName, string, string | null]>([
    ['that is missing', 'standalone', 'file', null],
    ['that is missing', 'inbound-gateway', 'file', null],
    ['with other content', 'webhook-dispatcher', 'file', 'password'],
  ])('%s stops %s from starting', async (_, name, file, content) => {
    const folder = tempFolder();
    const path = join(folder, file);
    if (content !== null) writeFileSync(path, content);
    const { MONGODB_URL: mongoUrl, ...bus } = BACKENDS;
    const env = {
      ...bus,
      ...KEY,
      ...(name === 'standalone' ? {} : { MONGODB_URL: mongoUrl }),
      [variable]: path,
    };
    await expectFailedStart(name, env, { code, message: `${variable} ${path}`, secret: 'password' });
  });
});

describe('SVC_ENCRYPTION_KEY_FILE', () => {
  it.each<[string, ProcessName, string, string | null]>([
    ['that is missing', 'standalone', 'key', null],
    ['that is a folder', 'forms-api', '.', null],
    ['with other content', 'standalone', 'key', 'password'],
    ['that is empty', 'webhook-dispatcher', 'key', ''],
  ])('%s stops %s from starting', async (_, name, file, content) => {
    const folder = tempFolder();
    if (content !== null) writeFileSync(join(folder, file), content);
    const path = join(folder, file);
    const env = { ...BACKENDS, SVC_ENCRYPTION_KEY_FILE: path };
    await expectFailedStart(name, env, {
      code,
      message: `SVC_ENCRYPTION_KEY_FILE ${path}`,
      secret: 'password',
    });
  });
});
