import { settingsSchema } from '@svcforms/runtime';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** The image or the stack itself determines them. */
const FIXED = [
  'SVC_PORT',
  'SVC_HOST',
  'SVC_DATA_DIR',
  'SVC_ENCRYPTION_KEY',
  'SVC_ENCRYPTION_KEY_FILE',
  'SVC_TRUST_PROXY',
  'SVC_BASE_URL',
];

it('passes every other setting of the environment to the services of the Compose stack', () => {
  const stack = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
  const settings = Object.keys(settingsSchema.shape).filter((name) => /^(SVC_|LOG_)/.test(name));
  const missing = settings.filter((name) => !stack.includes(`\n    ${name}: \${${name}:-}\n`));
  expect(missing.toSorted((one, other) => one.localeCompare(other))).toEqual(
    FIXED.toSorted((one, other) => one.localeCompare(other)),
  );
});
