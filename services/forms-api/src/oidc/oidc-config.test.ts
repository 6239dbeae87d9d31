import { readSettings } from '@svcforms/runtime';
import { tempFolder } from '@svcforms/test-kit';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { oidcConfig } from './oidc-config.ts';

const BOTH = { SVC_OIDC_ISSUER: 'https://id.example', SVC_OIDC_CLIENT_ID: 'svcforms' };
const configOf = (env: Readonly<Record<string, string>>) => oidcConfig(readSettings(env));

describe('the settings of single sign-on', () => {
  it('are off without a provider, even if Compose passes empty values', () => {
    expect(configOf({})).toBeNull();
    expect(configOf({ SVC_OIDC_ISSUER: '', SVC_OIDC_CLIENT_ID: '', SVC_OIDC_ROLE_MAP: '' })).toBeNull();
  });

  it('have the names that operators rely on', () => {
    const file = join(tempFolder(), 'secret');
    writeFileSync(file, 'from the file\n');
    const env = { ...BOTH, SVC_OIDC_CLIENT_SECRET_FILE: file, SVC_OIDC_ROLE_CLAIM: 'groups' };
    expect(configOf(env)).toMatchObject({
      issuer: 'https://id.example',
      clientId: 'svcforms',
      clientSecret: 'from the file',
      roleClaim: 'groups',
    });
    expect(configOf({ ...env, SVC_OIDC_CLIENT_SECRET: 'itself' })).toMatchObject({ clientSecret: 'itself' });
  });

  it.each<[Record<string, string>, string]>([
    [{ SVC_OIDC_ISSUER: BOTH.SVC_OIDC_ISSUER }, 'SVC_OIDC_CLIENT_ID must be set too'],
    [{ SVC_OIDC_CLIENT_ID: 'svcforms' }, 'SVC_OIDC_ISSUER must be set too'],
    [{ SVC_OIDC_CLIENT_SECRET: 's' }, 'SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID must be set too'],
    [{ SVC_OIDC_CLIENT_SECRET_FILE: '/x' }, '(SVC_OIDC_CLIENT_SECRET_FILE)'],
    [{ SVC_OIDC_ROLE_CLAIM: 'groups', SVC_OIDC_DEFAULT_ROLE: 'admin' }, '(SVC_OIDC_ROLE_CLAIM, SVC_OIDC_'],
    [{ SVC_OIDC_ROLE_MAP: 'staff=admin' }, '(SVC_OIDC_ROLE_MAP)'],
    [{ SVC_OIDC_ACCOUNT: `acc_${'0'.repeat(26)}` }, '(SVC_OIDC_ACCOUNT)'],
    [{ ...BOTH, SVC_OIDC_ROLE_MAP: 'staff=admin' }, 'SVC_OIDC_ROLE_CLAIM must be set too'],
    [{ ...BOTH, SVC_OIDC_CLIENT_SECRET_FILE: '/does/not/exist' }, 'SVC_OIDC_CLIENT_SECRET_FILE /does'],
  ])('%j are half a configuration and stop the start', (env, message) => {
    expect(() => configOf(env)).toThrow(message);
  });
});
