import {
  atEnd,
  createClient,
  describeWith,
  sessionCookie,
  sharedMongo,
  startNats,
  startProcess,
  tempFolder,
} from '@svcforms/test-kit';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, expectFailedStart } from './failed-start.ts';
import { serviceSettings } from './service-settings.ts';

jest.setTimeout(120_000);

describeWith(['nats', 'mongo'], 'the first start of forms-api as a separate service', () => {
  let env: Record<string, string>;

  beforeAll(async () => {
    await sharedMongo();
    const nats = await startNats();
    const {
      SVC_BOOTSTRAP_PASSWORD: _password,
      SVC_BOOTSTRAP_API_KEY: _key,
      ...settings
    } = await serviceSettings(nats.url);
    env = settings;
    atEnd(() => nats.remove());
  });

  it('requires a configured password, because its output is a log', async () => {
    const stdout = await expectFailedStart('forms-api', env, {
      code: EXIT.configuration,
      message: 'SVC_BOOTSTRAP_PASSWORD or SVC_BOOTSTRAP_PASSWORD_FILE is required for the first start',
    });
    expect(stdout).not.toMatch(/svc_key_|Password {2}/);
  });

  it('takes the password from a file, creates no API key, and logs neither', async () => {
    const password = randomBytes(24).toString('base64url');
    const path = join(tempFolder(), 'password');
    writeFileSync(path, `${password}\n`, { mode: 0o400 });
    const product = await startProcess('forms-api', {
      env: { ...env, SVC_BOOTSTRAP_PASSWORD_FILE: path, LOG_LEVEL: 'trace' },
      fullPasswordCost: true,
    });
    const visitor = createClient({ baseUrl: product.url });
    const login = await visitor.post('/api/auth/login', {
      body: { email: 'owner@example.com', password },
      expect: 200,
    });
    const cookie = sessionCookie(login);
    const keys = await visitor.get<unknown[]>('/api/keys', { headers: { cookie }, expect: 200 });
    expect(keys.body.data).toEqual([]);
    expect(product.output()).toContain('Created the first account with the owner owner@example.com.');
    expect(product.output()).not.toContain(password);
    expect(product.output()).not.toContain('svc_key_');
    // A collector of logs parses it.
    const line = product
      .output()
      .split('\n')
      .find((text) => text.includes('Created the first account'));
    expect(JSON.parse(line ?? '')).toHaveProperty('level');
  });
});
