import { readSettings, SettingsError, settingsSchema, type Settings } from './settings.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const OTHER_KEY = Buffer.alloc(32, 8).toString('base64');
const HOUR = 3600;

interface Row {
  /** The default value. */
  absent: unknown;
  good: [text: string, value: unknown][];
  bad: string[];
}

const wholeNumbers = (absent: number | undefined, least: number, most: number): Row => ({
  absent,
  good: [
    [String(least), least],
    [String(most), most],
  ],
  bad: [
    ...(least > 0 ? [String(least - 1)] : []),
    String(most + 1),
    '-1',
    '1.5',
    '1e3',
    '0x10',
    ' 1',
    'many',
    '1\n2',
  ],
});

const texts = (absent: unknown, ...good: string[]): Row => ({
  absent,
  good: good.map((text) => [text, text]),
  bad: [],
});

const collectors: Row = {
  ...texts(undefined, 'http://collector:4318', 'https://collector.example/otlp'),
  bad: ['collector:4318', 'grpc://collector:4317', '/v1/traces', 'http://'],
};

const protocols = (absent: unknown): Row => ({
  ...texts(absent, 'http/protobuf', 'http/json'),
  bad: ['grpc', 'json', 'HTTP/JSON'],
});

const headers: Row = {
  absent: undefined,
  good: [
    ['api-key=abc', { 'api-key': 'abc' }],
    ['a=1, b=x%20y%3D ,', { a: '1', b: 'x y=' }],
    ['authorization=Basic YTpi==', { authorization: 'Basic YTpi==' }],
  ],
  bad: ['abc', '=abc', 'a b=c', 'a=%zz', 'a=%0a', 'a=b,c'],
};

/** Every variable; that none is missing is a test below. */
const TABLE: Record<keyof Settings, Row> = {
  SVC_PORT: wholeNumbers(8080, 0, 65_535),
  SVC_HOST: {
    absent: '127.0.0.1',
    good: [
      ['0.0.0.0', '0.0.0.0'],
      ['::', '::'],
      ['[::1]', '::1'],
      ['[fe80::1%eth0]', 'fe80::1%eth0'],
      ['[::ffff:127.0.0.1]', '::ffff:127.0.0.1'],
      ['localhost', 'localhost'],
      ['forms_1.internal-net.example.', 'forms_1.internal-net.example.'],
    ],
    bad: [
      '127.0.0.1:8080',
      '[::1]:8080',
      '[127.0.0.1]x',
      '[::1',
      'http://127.0.0.1',
      '*',
      ' ',
      '-a',
      'a b',
      'localhost:80',
    ],
  },
  SVC_BASE_URL: {
    absent: undefined,
    good: [
      ['https://forms.example.com', 'https://forms.example.com'],
      ['https://forms.example.com/', 'https://forms.example.com'],
      ['http://localhost:8080', 'http://localhost:8080'],
      ['https://FORMS.example.com:443', 'https://forms.example.com'],
      ['http://forms.example.com:80/', 'http://forms.example.com'],
      ['https://förms.example:8443', 'https://xn--frms-5qa.example:8443'],
    ],
    bad: [
      'forms.example.com',
      'https://forms.example.com ',
      'https://forms.\nexample.com',
      'ftp://forms.example.com',
      '/forms',
      'https://',
      'https://*.example.com',
      'https://forms.example.com,forms.example.org',
      'https://{host}',
      'https://forms.example.com:0',
      'https://forms.example.com/forms',
      'https://forms.example.com/forms/',
      'https://forms.example.com//',
      'https://forms.example.com?a=b',
      'https://forms.example.com/?',
      'https://forms.example.com#a',
      'https://ada@forms.example.com',
      'https://ada:hunter2@forms.example.com',
    ],
  },
  SVC_DATA_DIR: texts('./data', '/var/lib/svcforms'),
  NATS_URL: {
    absent: undefined,
    good: [
      ['nats://nats:4222', 'nats://nats:4222'],
      ['tls://user:pw@nats:4222', 'tls://user:pw@nats:4222'],
      ['nats://a:4222, nats://[::1]:4222', 'nats://a:4222, nats://[::1]:4222'],
      ['nats://a,nats://u:p%2C@b,nats://u:p%2C@c', 'nats://a,nats://u:p%2C@b,nats://u:p%2C@c'],
    ],
    bad: [
      'nats',
      'nats://',
      'http://nats:4222',
      'nats:4222',
      'nats://nats:0',
      'nats://nats:65536',
      'nats://nats/path',
      'nats://nats?',
      'nats://:pw@nats',
      'nats://u:%zz@nats',
      'nats://a:4222,',
      'nats://a:4222,b:4222',
      'nats://a:4222 nats://b:4222',
    ],
  },
  NATS_CREDS_FILE: texts(undefined, '/run/nats/user.creds'),
  NATS_NKEY_SEED_FILE: texts(undefined, '/run/nats/user.nk'),
  NATS_CA_FILE: texts(undefined, '/run/nats/ca.pem'),
  MONGODB_URL: {
    absent: undefined,
    good: [
      ['mongodb://mongo:27017/svcforms', 'mongodb://mongo:27017/svcforms'],
      ['mongodb+srv://u:p@cluster.example/svcforms', 'mongodb+srv://u:p@cluster.example/svcforms'],
      ['mongodb://a:27017,b:27017/forms?replicaSet=rs', 'mongodb://a:27017,b:27017/forms?replicaSet=rs'],
      ['mongodb://u:p@a?tls=true', 'mongodb://u:p@a?tls=true'],
      ['mongodb://u:p@a/?tlsCAFile=/ca.pem', 'mongodb://u:p@a/?tlsCAFile=/ca.pem'],
    ],
    bad: [
      'mongo',
      'http://mongo',
      'postgres://mongo',
      'mongodb://',
      'mongodb:///svcforms',
      'mongodb://a b',
      // The driver would use the database "test".
      'mongodb://mongo?tls=true&tlsCAFile=/run/mongodb/ca.pem',
      'mongodb://u:p@a,b?tlsCAFile=/run/mongodb/ca.pem',
    ],
  },
  SVC_REQUIRE_BACKEND_TLS: { absent: false, good: [['false', false]], bad: ['yes'] },
  SVC_STREAM_MAX_BYTES: wholeNumbers(10 * 1024 ** 3, 1024 ** 2, Number.MAX_SAFE_INTEGER),
  SVC_STREAM_REPLICAS: {
    absent: undefined,
    good: [
      ['1', 1],
      ['3', 3],
      ['5', 5],
    ],
    bad: ['0', '2', '4', '7', '03', '3.0', 'three'],
  },
  SVC_ENCRYPTION_KEY: {
    absent: undefined,
    good: [
      [KEY, [KEY]],
      [`${KEY}, ${OTHER_KEY}`, [KEY, OTHER_KEY]],
    ],
    bad: ['x', ',', KEY.slice(1), `${KEY}${KEY}`, `${KEY},x`, KEY.replace(/.=$/, 'B='), 'a'.repeat(64)],
  },
  SVC_ENCRYPTION_KEY_FILE: texts(undefined, '/run/keys/encryption.key'),
  SVC_BOOTSTRAP_EMAIL: { ...texts(undefined, 'ada@example.com'), bad: ['ada', '@example.com', 'a b@c.d'] },
  SVC_BOOTSTRAP_PASSWORD: { ...texts(undefined, 'twelve------', 'with blanks in it'), bad: ['eleven-----'] },
  SVC_BOOTSTRAP_PASSWORD_FILE: texts(undefined, '/run/secrets/password'),
  SVC_BOOTSTRAP_API_KEY_FILE: texts(undefined, '/run/secrets/key'),
  SVC_BOOTSTRAP_API_KEY: {
    ...texts(undefined, `svc_key_${'a'.repeat(43)}`),
    bad: ['secret', `svc_key_${'a'.repeat(42)}`, `svc_key_${'a'.repeat(44)}`, `svc_inb_${'a'.repeat(43)}`],
  },
  SVC_BOOTSTRAP_PLAN: { ...texts('business', 'free', 'starter', 'pro', 'business'), bad: ['gold', 'Pro'] },
  SVC_OIDC_ISSUER: {
    ...texts(undefined, 'https://id.example/realms/forms', 'http://localhost:9000', 'http://127.0.0.1:9000'),
    bad: [
      'id.example',
      'https://id.example ',
      'https://id.example\t',
      'http://id.example',
      'ftp://id.example',
      'https://id.example?realm=forms',
      'https://id.example/#',
      'https://ada:hunter2@id.example',
    ],
  },
  SVC_OIDC_CLIENT_ID: texts(undefined, 'svcforms'),
  SVC_OIDC_CLIENT_SECRET: texts(undefined, 'a secret'),
  SVC_OIDC_CLIENT_SECRET_FILE: texts(undefined, '/run/keys/oidc'),
  SVC_OIDC_SCOPES: {
    ...texts('openid email profile', 'openid', 'openid groups'),
    bad: ['email', 'openid,email'],
  },
  SVC_OIDC_ROLE_CLAIM: texts(undefined, 'groups'),
  SVC_OIDC_ROLE_MAP: {
    absent: [],
    good: [
      ['staff=reviewer', [['staff', 'reviewer']]],
      [
        ' ou=leads = admin , staff=reviewer',
        [
          ['ou=leads', 'admin'],
          ['staff', 'reviewer'],
        ],
      ],
    ],
    bad: ['staff', 'staff=boss', '=admin', 'staff=', 'staff=owner,leads=admin,staff=reviewer'],
  },
  SVC_OIDC_DEFAULT_ROLE: { ...texts(undefined, 'owner', 'admin', 'reviewer'), bad: ['boss'] },
  SVC_OIDC_ACCOUNT: {
    ...texts(undefined, `acc_${'0'.repeat(25)}1`),
    bad: ['acc_1', `frm_${'0'.repeat(26)}`],
  },
  SVC_SLACK_SIGNING_SECRET: { ...texts(undefined, '0123456789abcdef'), bad: ['short'] },
  SVC_SLACK_SIGNING_SECRET_FILE: texts(undefined, '/run/keys/slack-signing'),
  SVC_SLACK_BOT_TOKEN: { ...texts(undefined, 'xoxb-1-abc'), bad: ['xoxp-1-abc', 'abc'] },
  SVC_SLACK_BOT_TOKEN_FILE: texts(undefined, '/run/keys/slack-token'),
  SVC_SLACK_ACCOUNT: { ...texts(undefined, `acc_${'0'.repeat(25)}1`), bad: ['acc_1'] },
  SVC_SLACK_API_URL: {
    ...texts('https://slack.com/api', 'https://slack-gov.com/api'),
    bad: ['slack.com', 'ftp://slack.com', 'https://slack.com/api?team=a', 'https://a:b@slack.com/api'],
  },
  SMTP_URL: {
    ...texts(undefined, 'smtp://mail:25', 'smtps://u:p@mail'),
    bad: ['mail:25', 'http://mail', 'smtp://*.example'],
  },
  SVC_MAIL_FROM: {
    ...texts(undefined, 'mail@forms.example', 'SvcForms, Ltd. <mail@forms.example>'),
    bad: ['forms.example', 'SvcForms', 'a@b.example, c@d.example', 'X\nBcc: <a@b.example>'],
  },
  SVC_MAIL_DAILY_QUOTA: wholeNumbers(1_000, 0, 10_000_000),
  SVC_MAIL_DIGEST_AFTER: wholeNumbers(20, 0, 1_000_000),
  SVC_RETRY_SCHEDULE: {
    absent: [60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
    good: [
      ['60', [60]],
      ['0.5, 1,2.25', [0.5, 1, 2.25]],
      ['60,2159940', [60, 25 * 24 * HOUR - 60]],
    ],
    bad: [',', '60,soon', '-1', '1e3', '60;300', '60,2159941', '99999999999999'],
  },
  SVC_DELIVERY_TIMEOUT_MS: wholeNumbers(10_000, 50, 120_000),
  SVC_DISABLE_AFTER: {
    absent: 72 * HOUR,
    good: [
      ['0', 0],
      ['0.5', 0.5],
      ['3153600000', 3_153_600_000],
    ],
    bad: ['72h', '-1', '.5', ''.padEnd(2), '3153600001', '8640000000001', '9'.repeat(400)],
  },
  SVC_DISABLE_MIN_FAILURES: wholeNumbers(10, 1, 1_000_000),
  SVC_ALLOWED_TARGETS: {
    absent: [],
    good: [
      ['10.0.0.0/8', ['10.0.0.0/8']],
      ['127.0.0.1/32, fd00::/8,', ['127.0.0.1/32', 'fd00::/8']],
    ],
    bad: ['10.0.0.1', 'localhost', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/8 fd00::/8', '*'],
  },
  SVC_SENDS_MAIL: {
    absent: undefined,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  SVC_ALLOW_HTTP: {
    absent: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  SVC_TARGET_CA: texts(undefined, '/etc/ssl/own.pem'),
  SVC_OUTBOUND_PROXY: {
    ...texts(undefined, 'http://proxy:3128', 'http://user:p%2Fw@10.0.0.1:3128/', 'https://[fd00::1]:3128'),
    bad: [
      'proxy:3128',
      'socks5://proxy',
      'http://proxy:3128/path',
      'http://proxy:3128?a=b',
      'http://proxy:3128/#a',
      'http://*.example:3128',
      'http://proxy:0',
    ],
  },
  SVC_DNS_SERVERS: {
    absent: [],
    good: [
      ['10.0.0.10', ['10.0.0.10']],
      ['10.0.0.10:5353, fd00::10,[fd00::10]:53', ['10.0.0.10:5353', 'fd00::10', '[fd00::10]:53']],
    ],
    bad: [
      'dns.example',
      '10.0.0.10:',
      '10.0.0.10:0',
      '10.0.0.10:65536',
      '10.0.0',
      '[10.0.0.10]:53',
      '[fd00::10',
    ],
  },
  SVC_RATE_LIMIT_KEY: wholeNumbers(600, 0, 10_000_000),
  SVC_RATE_LIMIT_INBOUND: wholeNumbers(600, 0, 10_000_000),
  SVC_RATE_LIMIT_PUBLIC: wholeNumbers(60, 0, 10_000_000),
  SVC_RATE_LIMIT_PUBLIC_IP: wholeNumbers(undefined, 0, 10_000_000),
  SVC_RATE_LIMIT_COUNTERS: wholeNumbers(undefined, 0, 10_000_000),
  SVC_CLIENT_ADDRESS_HIDDEN: { absent: false, good: [['true', true]], bad: ['yes'] },
  SVC_TRUST_PROXY: wholeNumbers(0, 0, 16),
  SVC_METRICS_TOKEN: {
    absent: undefined,
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['0123456789abcde', 'a token with spaces'],
  },
  SVC_LOG_CLIENT_IP: { ...texts('full', 'truncated', 'off'), bad: ['none', 'FULL', '1'] },
  SVC_AUDIT_RETENTION_DAYS: wholeNumbers(400, 1, 36_500),
  SVC_BACKUP_DIR: texts(undefined, '/backups'),
  SVC_BACKUP_S3_BUCKET: {
    ...texts(undefined, 'my-backups', 'a.b-3'),
    bad: ['ab', 'My-Backups', 'my_backups', 's3://backups', `b${'a'.repeat(63)}`],
  },
  SVC_BACKUP_S3_ENDPOINT: {
    ...texts(undefined, 'https://s3.example.com', 'http://minio:9000', 'https://storage.example/s3'),
    bad: [
      's3.example.com',
      's3://bucket',
      'https://ada:hunter2@s3.example.com',
      'https://s3.example.com?region=a',
      'https://s3.example.com#a',
    ],
  },
  SVC_BACKUP_S3_REGION: { ...texts('us-east-1', 'eu-central-1', 'auto'), bad: ['EU', 'eu central'] },
  SVC_BACKUP_S3_PREFIX: { ...texts('svcforms/', 'a/b/', 'forms-'), bad: ['/a', 'a b', 'a?b'] },
  SVC_BACKUP_S3_ACCESS_KEY_ID: texts(undefined, 'AKIA0'),
  SVC_BACKUP_S3_ACCESS_KEY_ID_FILE: texts(undefined, '/run/backup/id'),
  SVC_BACKUP_S3_SECRET_ACCESS_KEY: texts(undefined, 'a/secret+'),
  SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE: texts(undefined, '/run/backup/secret'),
  SVC_BACKUP_KEEP_DAYS: wholeNumbers(30, 0, 36_500),
  SVC_BACKUP_KEEP_COUNT: wholeNumbers(0, 0, 100_000),
  LOG_LEVEL: { ...texts('info', 'trace', 'silent'), bad: ['loud', 'INFO', '30'] },
  OTEL_SDK_DISABLED: {
    absent: false,
    good: [
      ['true', true],
      ['TRUE', true],
      ['false', false],
    ],
    bad: ['1', 'yes'],
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: collectors,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collectors,
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: collectors,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocols('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocols(undefined),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocols(undefined),
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers,
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: headers,
  OTEL_EXPORTER_OTLP_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_METRICS_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_CLIENT_KEY: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_TRACES_CLIENT_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_METRICS_CLIENT_CERTIFICATE: texts(undefined, '/run/certificates/a.pem'),
  OTEL_EXPORTER_OTLP_COMPRESSION: { ...texts('none', 'none', 'gzip'), bad: ['zip'] },
  OTEL_EXPORTER_OTLP_TIMEOUT: wholeNumbers(10_000, 1, 600_000),
  OTEL_TRACES_EXPORTER: { ...texts('otlp', 'otlp', 'none'), bad: ['console', 'jaeger', 'otlp,none'] },
  OTEL_METRICS_EXPORTER: { ...texts('otlp', 'otlp', 'none'), bad: ['prometheus', 'Otlp'] },
  OTEL_TRACES_SAMPLER: {
    ...texts('parentbased_always_on', 'always_on', 'always_off', 'traceidratio', 'parentbased_traceidratio'),
    bad: ['sometimes', 'jaeger_remote', 'parentbased'],
  },
  OTEL_TRACES_SAMPLER_ARG: {
    absent: 1,
    good: [
      ['0', 0],
      ['0.1', 0.1],
      ['.25', 0.25],
      ['1', 1],
      ['1.0', 1],
    ],
    bad: ['10', '-0.1', '10%', '0,1', '1.1', 'NaN'],
  },
  OTEL_PROPAGATORS: {
    absent: ['tracecontext', 'baggage'],
    good: [
      ['tracecontext', ['tracecontext']],
      ['baggage, tracecontext', ['baggage', 'tracecontext']],
      ['none', ['none']],
    ],
    bad: ['b3', 'tracecontext,jaeger', 'none,tracecontext'],
  },
  OTEL_SERVICE_NAME: texts(undefined, 'shop-forms'),
  OTEL_RESOURCE_ATTRIBUTES: {
    absent: undefined,
    good: [
      [
        'deployment.environment.name=prod, team=a%2Cb',
        { 'deployment.environment.name': 'prod', team: 'a,b' },
      ],
    ],
    bad: ['prod', '=prod', 'team=%zz'],
  },
  OTEL_BSP_SCHEDULE_DELAY: wholeNumbers(5_000, 1, 600_000),
  OTEL_BSP_MAX_QUEUE_SIZE: wholeNumbers(2_048, 1, 1_000_000),
  OTEL_METRIC_EXPORT_INTERVAL: wholeNumbers(60_000, 100, 86_400_000),
};
const NAMES = Object.keys(TABLE) as (keyof Settings)[];

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
/** Reads one variable; adds a collector for `OTEL_` variables, which are otherwise ignored. */
const readOne = (name: string, text: string) =>
  readSettings({ ...(/^OTEL_(?!SDK)/.test(name) && COLLECTOR), [name]: text });

describe('the settings', () => {
  it('are all in the table of this test, and each is described', () => {
    expect(NAMES.toSorted()).toEqual(Object.keys(settingsSchema.shape).toSorted());
    for (const schema of Object.values(settingsSchema.shape)) expect(schema.meta()?.description).toBeTruthy();
  });

  it.each(NAMES)('have their default where %s is absent or empty', (name) => {
    expect(readSettings({})[name]).toEqual(TABLE[name].absent);
    expect(readOne(name, '')[name]).toEqual(TABLE[name].absent);
  });

  it.each(NAMES.flatMap((name) => TABLE[name].good.map(([text, value]) => [name, text, value] as const)))(
    'take %s=%s',
    (name, text, value) => {
      expect(readOne(name, text)[name]).toEqual(value);
    },
  );

  it.each(NAMES.flatMap((name) => TABLE[name].bad.map((text) => [name, text] as const)))(
    'refuse %s=%j in one line that names it and says what is expected',
    (name, text) => {
      const read = () => readOne(name, text);
      expect(read).toThrow(SettingsError);
      expect(read).toThrow(new RegExp(`^${name} must .+$`));
    },
  );

  it.each([
    ['NATS_URL', 'http://user:hunter2@nats'],
    ['MONGODB_URL', 'http://user:hunter2@mongo'],
    ['SMTP_URL', 'http://user:hunter2@mail'],
    ['SVC_OUTBOUND_PROXY', 'ftp://user:hunter2@proxy'],
    ['SVC_ENCRYPTION_KEY', 'hunter2'],
    ['SVC_BOOTSTRAP_PASSWORD', 'hunter2'],
    ['SVC_BOOTSTRAP_API_KEY', 'hunter2'],
    ['SVC_METRICS_TOKEN', 'hunter2'],
    ['SVC_BASE_URL', 'https://ada:hunter2@forms.example'],
    ['SVC_BACKUP_S3_ENDPOINT', 'https://ada:hunter2@s3.example.com'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://ada:hunter2@collector'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=hunter2,hunter2'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key=%0ahunter2'],
  ])('never repeat the secret in %s', (name, text) => {
    expect(() => readOne(name, text)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it.each(['smtp://ada:hunter/2@mail', 'smtp://ada:hunter#2@mail', 'smtp://'])(
    'say of SMTP_URL=%s that passwords must be percent-encoded',
    (text) => {
      expect(() => readSettings({ SMTP_URL: text })).toThrow(/^SMTP_URL .* must be percent-encoded$/);
    },
  );

  it.each([
    ['nats://a:4222,b:4222,nats://c', "entry 2 of 3 (b) doesn't begin with nats:// or tls://"],
    ['nats://a:4222,,nats://c', 'entry 2 of 3 is empty'],
    ['nats://a:4222,nats://b:high', "entry 2 of 2 (b) isn't a valid URL"],
    ['nats://a:4222,nats://b:4222/c', 'entry 2 of 2 (b) has more after the host and port'],
    ['nats://a:4222,tls://b:4222', 'entry 2 of 2 (b) has another scheme than the entries before'],
    ['nats://u:p@a,nats://c,nats://u:q@b', 'entry 3 of 3 (b) has another user, password or token'],
    ['nats://u@a,nats://t@b', 'entry 2 of 2 (b) has another user, password or token'],
    ['nats://u:p@a,nats://:p@b', 'entry 2 of 2 (b) has a password without a user'],
    ['nats://u:p@a,nats://u:%p@b', "entry 2 of 2 (b) has a % that isn't followed by two hexadecimal digits"],
    ['http://u:p@nats', "it (nats) doesn't begin with nats:// or tls://"],
  ])('name the bad server of NATS_URL=%s', (text, problem) => {
    expect(() => readSettings({ NATS_URL: text })).toThrow(problem);
  });

  it.each([
    'nats://ada:hunter2',
    'nats://ada:hunter2,x@nats:4222',
    'nats://ada:x,hunter2@nats:4222',
    'nats://ada:x,hunter2,y@nats:4222',
    'nats://ada:hunter2/x@nats:4222',
    'nats://ada:1/hunter2@nats:4222',
    'nats://ada:x@hunter2,y@nats:4222',
    'nats://ada:x@a:4222,nats://ada:hunter2@b:4222',
    'nats://a:4222,http://ada:hunter2@b:4222',
    'nats://hunter2:%@nats',
  ])('never repeat a part of a password in NATS_URL=%s', (text) => {
    expect(() => readSettings({ NATS_URL: text })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
    );
  });

  it.each([
    [
      { NATS_CREDS_FILE: '/creds', NATS_NKEY_SEED_FILE: '/seed' },
      /^NATS_CREDS_FILE and NATS_NKEY_SEED_FILE /,
    ],
    [{ NATS_CREDS_FILE: '/creds', NATS_URL: 'nats://u:hunter2@nats' }, /^NATS_URL .* NATS_CREDS_FILE /],
    [{ NATS_NKEY_SEED_FILE: '/seed', NATS_URL: 'nats://hunter2@nats' }, /^NATS_URL .* NATS_NKEY_SEED_FILE /],
  ])('refuse two ways to authenticate to NATS: %j', (environment, message) => {
    const read = () => readSettings(environment);
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
  });

  it.each([
    ['NATS_URL', { NATS_URL: 'nats://u:hunter2@nats' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://u:hunter2@mongo/svcforms' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://u:hunter2@mongo/svcforms?tls=false' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb+srv://u:hunter2@mongo/svcforms?tls=false' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://u:hunter2@mongo/?tls=true&tlsInsecure=true' }],
    ['MONGODB_URL', { MONGODB_URL: 'mongodb://u:hunter2@mongo/?ssl=true&tlsAllowInvalidCertificates=true' }],
  ])('refuse %s without TLS if it is required: %j', (name, environment) => {
    const read = () => readSettings({ ...environment, SVC_REQUIRE_BACKEND_TLS: 'true' });
    expect(read).toThrow(new RegExp(`^${name} must `));
    expect(read).toThrow(expect.objectContaining({ message: expect.not.stringContaining('hunter2') }));
    readSettings({ ...environment, SVC_REQUIRE_BACKEND_TLS: 'false' });
  });

  it.each([
    { NATS_URL: 'tls://nats', MONGODB_URL: 'mongodb://mongo/svcforms?replicaSet=rs&tls=true' },
    { NATS_URL: 'nats://nats', NATS_CA_FILE: '/ca.pem', MONGODB_URL: 'mongodb+srv://mongo.example/svcforms' },
    { MONGODB_URL: 'mongodb://mongo/svcforms?ssl=true&tlsCAFile=/run/mongodb/ca.pem' },
    {},
  ])('accept backends with TLS if it is required: %j', (environment) => {
    expect(readSettings({ ...environment, SVC_REQUIRE_BACKEND_TLS: 'true' })).toMatchObject(environment);
  });

  it('take a CA file together with either way to authenticate to NATS', () => {
    const ca = { NATS_CA_FILE: '/ca.pem' };
    expect(readSettings({ ...ca, NATS_URL: 'tls://u:p@nats' })).toMatchObject(ca);
    expect(readSettings({ ...ca, NATS_URL: 'tls://nats', NATS_CREDS_FILE: '/creds' })).toMatchObject(ca);
  });

  it.each(NAMES.flatMap((name) => TABLE[name].good.map(([text, value]) => [name, text, value] as const)))(
    'take %s=%s with a line break at its end',
    (name, text, value) => {
      expect(readOne(name, `${text}\n`)[name]).toEqual(value);
      expect(readOne(name, `${text}\r\n`)[name]).toEqual(value);
    },
  );

  it.each([
    { OTEL_SDK_DISABLED: 'true', ...COLLECTOR, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
    { OTEL_SDK_DISABLED: ' TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' },
    { OTEL_PROPAGATORS: 'tracecontext,b3' },
    { OTEL_TRACES_EXPORTER: 'console', OTEL_EXPORTER_OTLP_ENDPOINT: '' },
  ])('ignore the variables of OpenTelemetry if it is off: %j', (environment) => {
    const { OTEL_SDK_DISABLED: text = 'false' } = environment;
    expect(readSettings(environment)).toEqual(readSettings({ OTEL_SDK_DISABLED: text }));
  });

  it.each([
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a' },
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://a' },
  ])('check the variables of OpenTelemetry with the endpoint %j', (endpoint) => {
    expect(() => readSettings({ ...endpoint, OTEL_PROPAGATORS: 'b3' })).toThrow(/^OTEL_PROPAGATORS must /);
  });

  it.each(['SVC_PROT', 'SVC_', 'SVC_BASEURL', 'SVC_RELEASE_SERVICE_HOST'])(
    'refuse the unknown name %s in one line that names it',
    (name) => {
      expect(() => readSettings({ [name]: 'x' })).toThrow(new RegExp(`^${name} is not a known setting; .+$`));
    },
  );

  it.each(['PATH', 'svc_port', 'MY_SVC_PORT', 'SVC_REQUIRE', 'SVC_API_KEY', 'SVC_TEST_RUN'])(
    'ignore %s',
    (name) => {
      expect(readSettings({ [name]: 'x' })).toEqual(readSettings({}));
    },
  );
});
