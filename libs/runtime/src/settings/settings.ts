import { parseUrl } from '@svcforms/primitives';
import { isIP } from 'node:net';
import { z } from 'zod';
import { MIN_PASSWORD_LENGTH, ROLES, wholeNumberText, type Role } from '@svcforms/contracts';
import { backupSettings } from './backup-settings.ts';
import { plainUrl, url } from './formats.ts';
import { natsUrlProblem } from './nats-url.ts';
import { telemetrySettings, withoutIgnoredTelemetry } from './telemetry-settings.ts';

/**
 * The environment: one row per variable, with its format, default and description. The table in
 * `docs/operations.md` is generated from it.
 */

const seconds = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number of seconds, such as 60 or 0.5')
  .transform(Number);

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** Brackets belong to URLs, where they separate an IPv6 address from the port. */
const listenAddress = z
  .string()
  .transform((text) => text.replace(/^\[([\d:A-Fa-f.]+(?:%\w+)?)\]$/, '$1'))
  .refine(
    (text) => isIP(text) !== 0 || /^\w([\w-]*\w)?(\.\w([\w-]*\w)?)*\.?$/.test(text),
    'must be an IP address or a host name, such as 127.0.0.1 or ::1; SVC_PORT is the port',
  );

/**
 * The product is served from the root of its host: cookies, the embed and the dashboard rely on
 * that.
 */
function isOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && `${url.protocol}//${url.host}` === url.href.replace(/\/$/, '') && !/[?#]/.test(text);
}

/** The product connects to the host and port of the proxy; a path would have no effect. */
function hasNoPath(text: string): boolean {
  const url = parseUrl(text);
  // Reported by another rule.
  return !url || (url.pathname === '/' && !/[?#]/.test(text));
}

/** `URL` rejects several hosts, which a replica set has. The driver parses the rest. */
const mongoUrl = z
  .string()
  .regex(
    /^mongodb(\+srv)?:\/\/[^/\s]+(\/\S*)?$/,
    'must begin with mongodb:// or mongodb+srv:// and name a host',
  )
  // The driver takes the first slash for the one before the database: here, a slash in an option.
  .refine(
    (text) => !/^[^/]+:\/\/(?:[^/]*@)?[^/@?]+\?.*\//.test(text),
    'must name the database before its options, such as mongodb://host/svcforms?tls=true, and percent-encode special characters of a password; earlier versions used the database "test" without it',
  );

const natsUrl = z.string().superRefine((text, context) => {
  const problem = natsUrlProblem(text);
  if (problem) context.addIssue({ code: 'custom', message: problem });
});

const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);

const encryptionKeys = commaList.refine(
  // 32 bytes leave two bits of the last character unused.
  (keys) => keys.length > 0 && keys.every((key) => /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(key)),
  'must be 32 bytes in base64 (44 characters); to rotate, a comma-separated list, newest first',
);

const cidr = z.union([z.cidrv4(), z.cidrv6()]);

/** An IP address with an optional port: `10.0.0.10:5353`, `[fd00::10]:5353`. */
function isNameServer(text: string): boolean {
  if (z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success) return true;
  const [, v6, v4, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = v6 === undefined ? z.ipv4().safeParse(v4).success : z.ipv6().safeParse(v6).success;
  return isAddress && (port === undefined || (Number(port) > 0 && Number(port) < 65_536));
}

const role = z.enum(ROLES, 'must be owner, admin or reviewer');

/** `group=role,…`. The last `=` counts, because names of groups can contain others. */
const roleMap = z
  .string()
  .transform((text, context) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map((part): [string, Role] => {
        const at = part.lastIndexOf('=');
        const parsed = role.safeParse(part.slice(at + 1).trim());
        const group = part.slice(0, Math.max(0, at)).trim();
        if (!parsed.success || group === '') {
          context.addIssue({ code: 'custom', message: 'must be a list such as staff=reviewer,leads=admin' });
          return ['', 'reviewer'];
        }
        return [group, parsed.data];
      }),
  )
  .refine(
    (pairs) => pairs.every(([group, each]) => new Map(pairs).get(group) === each),
    'must give each group one role',
  );

/** Without TLS, others in the network could log in as anybody. */
function isSafeIssuer(text: string): boolean {
  const url = parseUrl(text);
  // Reported by another rule.
  if (!url) return true;
  const { protocol, hostname } = url;
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

const accountId = z
  .string()
  .regex(/^acc_[0-9A-HJKMNP-TV-Z]{26}$/, 'must be the id of an account: acc_ and 26 characters');

const HOUR = 3600;
const YEAR = 365 * 24 * HOUR;
/**
 * With up to 20 % more for each delay, the last attempt starts within the 30 days after which a
 * delivery is deleted.
 */
const LONGEST_SCHEDULE = 25 * 24 * HOUR;

export const settingsSchema = z.object({
  SVC_PORT: wholeNumberText(0, 65_535)
    .default(8080)
    .meta({ description: 'TCP port to listen on. 0 lets the system choose a free port' }),
  SVC_HOST: listenAddress
    .default('127.0.0.1')
    .meta({ description: 'Address to listen on; containers set 0.0.0.0' }),
  SVC_BASE_URL: url('http', 'https')
    .refine(
      isOrigin,
      'must be an origin, such as https://forms.example.com: no path, query, fragment or login',
    )
    // As browsers send it: without the default port, in lower case, and in Punycode.
    .transform((text) => new URL(text).origin)
    .optional()
    .meta({
      description: 'Public origin, the prefix of links and problem types. Default: http://localhost:PORT',
    }),
  SVC_DATA_DIR: z
    .string()
    .default('./data')
    .meta({ description: 'Folder for the database and the generated encryption key of the standalone' }),
  NATS_URL: natsUrl.optional().meta({
    description:
      'NATS server, or a comma-separated list of the servers of a cluster. Without it, the standalone uses its embedded event bus',
  }),
  NATS_CREDS_FILE: z.string().optional().meta({
    description: 'Credentials file of a NATS user (JWT and NKEY seed, as nsc writes it)',
  }),
  NATS_NKEY_SEED_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains the NKEY seed of a NATS user' }),
  NATS_CA_FILE: z.string().optional().meta({
    description:
      'PEM file of the certificate authorities of the NATS servers, in place of the default ones. Requires TLS',
  }),
  MONGODB_URL: mongoUrl.optional().meta({
    description:
      'MongoDB server, with the database as path. Without it, the standalone uses its embedded document store',
  }),
  SVC_REQUIRE_BACKEND_TLS: flag.default(false).meta({
    description:
      'Set to true to refuse connections to MongoDB and NATS without TLS: MONGODB_URL needs tls=true (mongodb+srv:// has it), and NATS_URL tls:// or NATS_CA_FILE',
  }),
  SVC_STREAM_MAX_BYTES: wholeNumberText(1024 * 1024, Number.MAX_SAFE_INTEGER)
    .default(10 * 1024 ** 3)
    .meta({
      description:
        'Maximum size of the event log in NATS. A full log refuses events, which then wait in the store',
    }),
  SVC_STREAM_REPLICAS: z.enum(['1', '3', '5'], 'must be 1, 3 or 5').transform(Number).optional().meta({
    description:
      'Number of NATS servers that store the event log. Default: 1 for a new log; an existing one keeps its number',
  }),
  SVC_ENCRYPTION_KEY: encryptionKeys.optional().meta({
    description:
      'Key that encrypts webhook and inbound secrets at rest: 32 bytes in base64. To rotate, a comma-separated list, newest first',
  }),
  SVC_ENCRYPTION_KEY_FILE: z.string().optional().meta({
    description: 'File that contains SVC_ENCRYPTION_KEY. The standalone generates one in SVC_DATA_DIR',
  }),
  SVC_BOOTSTRAP_EMAIL: z
    .email('must be an email address')
    .optional()
    .meta({ description: 'Email of the first owner (first start only)' }),
  SVC_BOOTSTRAP_PASSWORD: z
    .string()
    .min(MIN_PASSWORD_LENGTH, `must have at least ${MIN_PASSWORD_LENGTH} characters`)
    .optional()
    .meta({
      description:
        'Password of the first owner, at least 12 characters and not a common one. The separate services require it for the first start; the standalone generates one by default',
    }),
  SVC_BOOTSTRAP_PASSWORD_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_BOOTSTRAP_PASSWORD' }),
  SVC_BOOTSTRAP_API_KEY: z
    .string()
    .regex(/^svc_key_[A-Za-z0-9_-]{43}$/, 'must be svc_key_ followed by 43 base64url characters')
    .optional()
    .meta({
      description:
        'First API key, with all scopes. The standalone generates one by default; the separate services then create none',
    }),
  SVC_BOOTSTRAP_API_KEY_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_BOOTSTRAP_API_KEY' }),
  SVC_BOOTSTRAP_PLAN: z
    .enum(['free', 'starter', 'pro', 'business'], 'must be free, starter, pro or business')
    .default('business')
    .meta({ description: 'Plan of the first account' }),
  // OpenID Connect Core 1.0, section 1.2: scheme, host, port and path, and nothing else.
  SVC_OIDC_ISSUER: plainUrl('http', 'https')
    .refine(isSafeIssuer, 'must begin with https://; http:// is only for this machine')
    .optional()
    .meta({
      description:
        'Identity provider (OpenID Connect) that users can log in with: its issuer URL. Its redirect URI is SVC_BASE_URL/api/auth/oidc/callback',
    }),
  SVC_OIDC_CLIENT_ID: z.string().optional().meta({ description: 'Client ID at the identity provider' }),
  SVC_OIDC_CLIENT_SECRET: z
    .string()
    .optional()
    .meta({ description: 'Client secret at the identity provider. Without it, the client is public' }),
  SVC_OIDC_CLIENT_SECRET_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_OIDC_CLIENT_SECRET' }),
  SVC_OIDC_SCOPES: z
    .string()
    .regex(/^openid( \S+)*$/, 'must be a list of scopes separated by spaces, openid first')
    .default('openid email profile')
    .meta({ description: 'Scopes to request from the identity provider' }),
  SVC_OIDC_ROLE_CLAIM: z.string().optional().meta({
    description:
      'Claim with the groups or roles of a user, such as groups. Without it, the identity provider decides no roles',
  }),
  SVC_OIDC_ROLE_MAP: roleMap.default([]).meta({
    description:
      'Role of each group: a comma-separated list of group=role. Without it, groups are named owner, admin and reviewer',
  }),
  SVC_OIDC_DEFAULT_ROLE: role.optional().meta({
    description: "Role of users without a group in the map. Without it, they can't log in",
  }),
  SVC_OIDC_ACCOUNT: accountId
    .optional()
    .meta({ description: 'Account of the users of the identity provider. Default: the only account' }),
  SMTP_URL: url('smtp', 'smtps').optional().meta({
    description:
      'Mail server. Its default port is 587, with smtps:// 465. Without a server, emails are stored as .eml files in SVC_DATA_DIR/mail. With credentials its certificate must be valid; without, smtp:// accepts any',
  }),
  SVC_SENDS_MAIL: flag.optional().meta({
    description:
      'For forms-api where only the webhook-dispatcher has SMTP_URL: whether that is set, so that users may reset passwords by email. Default: whether SMTP_URL is set here',
  }),
  SVC_MAIL_FROM: z
    .string()
    .regex(
      /^(?:[^\p{Cc}<>@]*<[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/u,
      'must be an email address, as name@host or Name <name@host>',
    )
    .optional()
    .meta({
      description:
        'Sender of emails, as name@host or Name <name@host>. Default: no-reply at the host of SVC_BASE_URL',
    }),
  SVC_MAIL_DAILY_QUOTA: wholeNumberText(0, 10_000_000).default(1_000).meta({
    description:
      'Emails about new submissions per account and day (UTC). Further submissions go into a digest on the next day. 0: no limit',
  }),
  SVC_MAIL_DIGEST_AFTER: wholeNumberText(0, 1_000_000).default(20).meta({
    description:
      'Emails about new submissions per form, recipient and hour. Further submissions go into a digest at the end of the hour. 0: no digests',
  }),
  SVC_SLACK_SIGNING_SECRET: z.string().min(16, 'must have at least 16 characters').optional().meta({
    description:
      'Signing secret of the Slack app with which people decide tasks in Slack. Requires SVC_SLACK_BOT_TOKEN',
  }),
  SVC_SLACK_SIGNING_SECRET_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_SLACK_SIGNING_SECRET' }),
  SVC_SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xoxb-[A-Za-z0-9-]+$/, 'must be the bot token of a Slack app, which begins with xoxb-')
    .optional()
    .meta({ description: 'Bot token of the Slack app' }),
  SVC_SLACK_BOT_TOKEN_FILE: z
    .string()
    .optional()
    .meta({ description: 'File that contains SVC_SLACK_BOT_TOKEN' }),
  SVC_SLACK_ACCOUNT: accountId
    .optional()
    .meta({ description: 'Account that the Slack app belongs to. Default: the only account' }),
  SVC_SLACK_API_URL: plainUrl('http', 'https')
    .default('https://slack.com/api')
    .meta({ description: 'Web API of Slack' }),
  SVC_RETRY_SCHEDULE: commaList
    .refine(
      (list) => list.length > 0 && list.every((s) => /^\d+(\.\d+)?$/.test(s)),
      'must be a comma-separated list of seconds, such as 60,300,900',
    )
    .transform((list) => list.map(Number))
    .refine(
      (list) => list.reduce((sum, delay) => sum + delay, 0) <= LONGEST_SCHEDULE,
      `must add up to at most 25 days, ${LONGEST_SCHEDULE}, because a delivery is deleted after 30 days, sent or not`,
    )
    .default([60, 300, 900, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR])
    .meta({
      description:
        'Delays between the attempts of a delivery, or of a callback with retries, in seconds: at most 25 days together. There is one attempt more than delays',
    }),
  SVC_DELIVERY_TIMEOUT_MS: wholeNumberText(50, 120_000)
    .default(10_000)
    .meta({ description: 'Timeout of one delivery attempt, in milliseconds' }),
  SVC_DISABLE_AFTER: seconds
    // With more, the time before which a webhook must have failed is beyond every date.
    .refine((duration) => duration <= 100 * YEAR, `must be at most 100 years, ${100 * YEAR}`)
    .default(72 * HOUR)
    .meta({
      description: 'Disable a webhook this many seconds after the first failure since its last success …',
    }),
  SVC_DISABLE_MIN_FAILURES: wholeNumberText(1, 1_000_000)
    .default(10)
    .meta({ description: '… if at least this many attempts in a row failed' }),
  SVC_ALLOWED_TARGETS: commaList
    .refine(
      (ranges) => ranges.every((range) => cidr.safeParse(range).success),
      'must be a comma-separated list of address ranges, such as 10.0.0.0/8,fd00::/8',
    )
    .default([])
    .meta({
      description: 'Private address ranges that webhooks may reach (CIDR, comma-separated)',
    }),
  SVC_ALLOW_HTTP: flag.default(false).meta({ description: 'Allow webhook URLs with http' }),
  SVC_TARGET_CA: z.string().optional().meta({
    description: 'PEM file of certificate authorities that webhooks trust in addition to the default ones',
  }),
  SVC_OUTBOUND_PROXY: url('http', 'https')
    .refine(hasNoPath, 'must be a URL such as http://proxy.example:3128, without a path, query or fragment')
    .optional()
    .meta({ description: 'HTTP proxy for webhooks' }),
  SVC_DNS_SERVERS: commaList
    .refine(
      (servers) => servers.every(isNameServer),
      'must be a comma-separated list of IP addresses, such as 10.0.0.10,[fd00::10]:5353',
    )
    .default([])
    .meta({
      description:
        'Name servers that resolve webhook hosts, as address or address:port (comma-separated). Default: those of the system',
    }),
  SVC_RATE_LIMIT_KEY: wholeNumberText(0, 10_000_000)
    .default(600)
    .meta({ description: 'Requests per minute and API key. 0: no limit' }),
  SVC_RATE_LIMIT_INBOUND: wholeNumberText(0, 10_000_000)
    .default(600)
    .meta({ description: 'Requests per minute and inbound endpoint. 0: no limit' }),
  SVC_RATE_LIMIT_PUBLIC: wholeNumberText(0, 10_000_000).default(60).meta({
    description:
      'Public submissions per minute, form and client network (an IPv4 address, or the /64 of an IPv6 address). 0: no limit on any public route',
  }),
  SVC_RATE_LIMIT_PUBLIC_IP: wholeNumberText(0, 10_000_000).optional().meta({
    description:
      'Public submissions per minute and client network over all forms; the same limit again for popup events. Default: five times SVC_RATE_LIMIT_PUBLIC. 0: no such limit',
  }),
  SVC_RATE_LIMIT_COUNTERS: wholeNumberText(0, 10_000_000).optional().meta({
    description:
      'Popup events per minute, form and client network. Default: twice SVC_RATE_LIMIT_PUBLIC. 0: no limit on popup events',
  }),
  SVC_CLIENT_ADDRESS_HIDDEN: flag.default(false).meta({
    description:
      'Set to true if a load balancer hides client addresses. Public limits then apply to each form as a whole, and to each public path without one, ten times as high',
  }),
  SVC_TRUST_PROXY: wholeNumberText(0, 16).default(0).meta({
    description:
      'Number of reverse proxies in front of the service; determines which X-Forwarded-For entry is the client',
  }),
  SVC_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must have at least 16 characters, without spaces')
    .optional()
    .meta({
      description:
        'Bearer token for /metrics. Without it, the standalone serves /metrics to its own machine only, and a service to every direct connection',
    }),
  SVC_LOG_CLIENT_IP: z
    .enum(['full', 'truncated', 'off'], 'must be full, truncated or off')
    .default('full')
    .meta({
      description:
        "How much of the client's IP address the request log contains. truncated: the /24 (IPv4) or /48 (IPv6); off: nothing",
    }),
  SVC_AUDIT_RETENTION_DAYS: wholeNumberText(1, 36_500).default(400).meta({
    description:
      'Days to keep new rows of the audit log. Existing rows are kept for as long as the setting said when they were stored',
  }),
  ...backupSettings,
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    )
    .default('info')
    .meta({ description: 'Minimum level of log lines' }),
  ...telemetrySettings,
});
export type Settings = z.infer<typeof settingsSchema>;

/**
 * `SVC_` names that tools and tests of this repository read. They aren't settings, but they are
 * accepted.
 */
const TOOL_NAMES = ['SVC_REQUIRE', 'SVC_API_KEY'];

/** A variable of the environment is invalid. The message is one line that names it. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/**
 * Reads and checks the whole table, including variables that the calling service doesn't use, so
 * that a typo stops the start and doesn't surface in production.
 * @throws SettingsError for the first variable that is unknown or invalid.
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const known = new Set([...Object.keys(settingsSchema.shape), ...TOOL_NAMES]);
  for (const name of Object.keys(environment)) {
    if (name.startsWith('SVC_') && !known.has(name) && !name.startsWith('SVC_TEST_')) {
      throw new SettingsError(`${name} is not a known setting; docs/operations.md lists them`);
    }
  }
  const given = Object.fromEntries(
    Object.keys(settingsSchema.shape).flatMap((name) => {
      // Editors and `echo` end a secret with a line break, which isn't a part of it.
      const value = environment[name]?.replace(/\r?\n$/, '');
      return value ? [[name, value]] : [];
    }),
  );
  const result = settingsSchema.safeParse(withoutIgnoredTelemetry(given));
  if (result.success) {
    checkNatsCredentials(result.data);
    checkBackendTls(result.data);
    return result.data;
  }
  const issue = result.error.issues[0];
  throw new SettingsError(`${String(issue?.path[0])} ${issue?.message ?? 'has a bad value'}`);
}

/**
 * @throws SettingsError if several settings authenticate to NATS, of which the server would use one
 */
function checkNatsCredentials(settings: Settings): void {
  const { NATS_URL: url = '', NATS_CREDS_FILE: creds, NATS_NKEY_SEED_FILE: nkey } = settings;
  if (creds && nkey) {
    throw new SettingsError('NATS_CREDS_FILE and NATS_NKEY_SEED_FILE are both set; keep one of them');
  }
  if ((creds || nkey) && url.includes('@')) {
    const file = creds ? 'NATS_CREDS_FILE' : 'NATS_NKEY_SEED_FILE';
    throw new SettingsError(`NATS_URL contains a user or token, and ${file} is set; keep one of them`);
  }
}

/** @throws SettingsError if TLS is required and a backend is set without it */
function checkBackendTls(settings: Settings): void {
  const { SVC_REQUIRE_BACKEND_TLS: isRequired, NATS_URL: nats, MONGODB_URL: mongo } = settings;
  if (!isRequired) return;
  if (nats && !nats.startsWith('tls://') && !settings.NATS_CA_FILE) {
    throw new SettingsError(
      'NATS_URL must begin with tls://, or NATS_CA_FILE must be set: SVC_REQUIRE_BACKEND_TLS is true',
    );
  }
  if (mongo && !hasTls(mongo)) {
    throw new SettingsError(
      'MONGODB_URL must have tls=true, and no option that accepts any certificate: SVC_REQUIRE_BACKEND_TLS is true',
    );
  }
}

/** The driver's options for TLS; `ssl` is an older name of `tls`. */
function hasTls(mongoUrl: string): boolean {
  const options = new URLSearchParams(mongoUrl.split('?').slice(1).join('?').toLowerCase());
  const isSet = (name: string) => options.getAll(name).at(-1) === 'true';
  const tls = [...options.getAll('tls'), ...options.getAll('ssl')];
  const isOn = mongoUrl.startsWith('mongodb+srv://') ? true : tls.length > 0;
  const isWeak = ['tlsinsecure', 'tlsallowinvalidcertificates', 'tlsallowinvalidhostnames'].some(isSet);
  return isOn && tls.every((value) => value === 'true') && !isWeak;
}
