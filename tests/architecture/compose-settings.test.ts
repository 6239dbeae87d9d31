import { settingsSchema } from '@svcforms/runtime';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './imports.ts';

/** The image or the stack itself determines them. */
const FIXED = [
  'SVC_PORT',
  'SVC_HOST',
  'SVC_BOOTSTRAP_PASSWORD_FILE',
  'SVC_DATA_DIR',
  'SVC_ENCRYPTION_KEY',
  'SVC_ENCRYPTION_KEY_FILE',
  // Only the admin command reads them, and the services need no access to backups.
  'SVC_BACKUP_DIR',
  'SVC_BACKUP_KEEP_COUNT',
  'SVC_BACKUP_KEEP_DAYS',
  'SVC_BACKUP_S3_ACCESS_KEY_ID',
  'SVC_BACKUP_S3_ACCESS_KEY_ID_FILE',
  'SVC_BACKUP_S3_BUCKET',
  'SVC_BACKUP_S3_ENDPOINT',
  'SVC_BACKUP_S3_PREFIX',
  'SVC_BACKUP_S3_REGION',
  'SVC_BACKUP_S3_SECRET_ACCESS_KEY',
  'SVC_BACKUP_S3_SECRET_ACCESS_KEY_FILE',
  // One name for all services would make them look like one.
  'OTEL_SERVICE_NAME',
];

/** What the stack sets if its user doesn't. */
const DEFAULTS: Readonly<Record<string, string>> = {
  SVC_BASE_URL: 'http://localhost:${EDGE_PORT:-8080}',
  // Its own edge.
  SVC_TRUST_PROXY: '1',
};

it('passes every other setting of the environment to the services of the Compose stack', () => {
  const stack = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const settings = Object.keys(settingsSchema.shape).filter((name) => /^(SVC_|LOG_|OTEL_)/.test(name));
  const passed = (name: string) => `\n    ${name}: \${${name}:-${DEFAULTS[name] ?? ''}}\n`;
  const missing = settings.filter((name) => !stack.includes(passed(name)));
  expect(missing.toSorted((one, other) => one.localeCompare(other))).toEqual(
    FIXED.toSorted((one, other) => one.localeCompare(other)),
  );
});

/** Settings that are secrets, contain some, or name a file with one. */
const SECRET =
  /(SECRET|TOKEN|PASSWORD|API_KEY|ACCESS_KEY(_ID)?|ENCRYPTION_KEY|SMTP_URL|PROXY|HEADERS)(_FILE)?$/;
/** It serves metrics and sends traces, as every service does. */
const NEEDED_BY_EMBED_CDN = /^(SVC_METRICS_TOKEN|SVC_TRUST_PROXY|OTEL_\w+)$/;

it('gives embed-cdn no secret of other services', () => {
  const stack = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string>; volumes: string[] }>;
  };
  const secretsOf = (service: string) =>
    Object.entries(stack.services[service]?.environment ?? {}).flatMap(([name, value]) =>
      value !== '' && SECRET.test(name) && !NEEDED_BY_EMBED_CDN.test(name) ? [name] : [],
    );
  expect(secretsOf('forms-api').length).toBeGreaterThan(10);
  expect(secretsOf('embed-cdn')).toEqual([]);
  expect(stack.services['embed-cdn']?.volumes).toEqual([]);
});

it.each([
  ['docker compose run', '-e SVC_BACKUP_S3_BUCKET', /^SVC_BACKUP_(S3|KEEP)_/],
  ['docker compose run', '-e SVC_BACKUP_DIR=', /^SVC_BACKUP_KEEP_/],
  ['docker run', ' dump -', /^NATS_/],
])('the documented %s with %s passes every setting that it may need', (program, part, isNeeded) => {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').replaceAll('\\\n', '');
  const command = text.split(/[`\n]/).find((line) => line.startsWith(program) && line.includes(part)) ?? '';
  // The variables that name a file with a secret have an equivalent with the secret itself.
  const isAlternative = (name: string) => name.endsWith('_FILE') && name.startsWith('SVC_');
  const names = Object.keys(settingsSchema.shape).filter(
    (name) => isNeeded.test(name) && !isAlternative(name),
  );
  const passed = [...command.matchAll(/-e (\w+)/g)].map(([, name]) => name);
  expect(passed).toEqual(expect.arrayContaining(names));
});
