import { freePort, runToEnd, startProcess, tempFolder } from '@svcforms/test-kit';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

jest.setTimeout(60_000);

function fileWith(text: string): string {
  const path = join(tempFolder(), 'file');
  writeFileSync(path, text);
  return path;
}

describe('a start that can not be', () => {
  it.each<[string, number, Record<string, string>, RegExp]>([
    ['a setting is wrong', 78, { SVC_PORT: 'http' }, /^SVC_PORT must be a whole number/],
    ['a setting is unknown', 78, { SVC_PROT: '80' }, /^SVC_PROT is not a known setting/],
    [
      'an allowed target is no range',
      78,
      { SVC_ALLOWED_TARGETS: '10.0.0.1' },
      /^SVC_ALLOWED_TARGETS must be/,
    ],
    ['the certificates can’t be read', 78, { SVC_TARGET_CA: '/nowhere' }, /^SVC_TARGET_CA \/nowhere can not/],
    [
      'the key file holds no key',
      78,
      { SVC_ENCRYPTION_KEY_FILE: fileWith('x') },
      /^SVC_ENCRYPTION_KEY_FILE \S+ must hold/,
    ],
    ['the data folder is a file', 78, { SVC_DATA_DIR: fileWith('x') }, /^SVC_DATA_DIR \S+ can not be made/],
    [
      'the data folder can’t be made',
      78,
      { SVC_DATA_DIR: '/dev/null/none' },
      /^SVC_DATA_DIR \/dev\/null\/none can not be made/,
    ],
    ['the bus does not answer', 69, { NATS_URL: 'nats://127.0.0.1:1' }, /127\.0\.0\.1:1/],
    ['the store does not answer', 69, { MONGODB_URL: 'mongodb://127.0.0.1:1/x' }, /127\.0\.0\.1:1/],
    ['the address is not this machine’s', 71, { SVC_HOST: '192.0.2.1' }, /EADDRNOTAVAIL.*192\.0\.2\.1/],
  ])('because %s ends with %d and one line that says why.', async (_, code, env, line) => {
    const ended = await runToEnd('standalone', { env: { SVC_PORT: '0', ...env } });
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(/^svcforms: .+\n$/);
    expect(ended.stderr.slice('svcforms: '.length)).toMatch(line);
  });

  it('because another process has the data folder ends with 69 and one line.', async () => {
    const folder = tempFolder();
    await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    const ended = await runToEnd('standalone', { env: { SVC_DATA_DIR: folder, SVC_PORT: '0' } });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 69,
      stderr: expect.stringMatching(/^svcforms: \S+svcforms\.db is in use by another process.*\n$/),
    });
  });

  it('because the port is taken ends with 71, but loses no credentials that it made up.', async () => {
    const port = await freePort();
    const holder = createServer().listen(port, '127.0.0.1');
    await once(holder, 'listening');
    const ended = await runToEnd('standalone', { env: { SVC_PORT: String(port) } });
    holder.close();
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({
      code: 71,
      stderr: `svcforms: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    });
    expect(ended.stdout).toMatch(/Password {2}[\w-]{43}\n/);
    expect(ended.stdout).toMatch(/API key {3}svc_key_[\w-]{43}\n/);
  });
});

describe('the standalone', () => {
  it('tells its address, and the first time alone what it made up.', async () => {
    const product = await startProcess('standalone');
    const first = product.output();
    expect(first).toMatch(
      /Owner {5}owner@svcforms\.local\n {2}Password {2}\S{43}\n {2}API key {3}svc_key_\S{43}\n/,
    );
    expect(first).toContain(`SvcForms is ready at http://localhost:${new URL(product.url).port}\n`);
    expect(await product.stop()).toBe(0);
    await product.restart();
    expect(product.output().slice(first.length)).toBe(
      `SvcForms is ready at http://localhost:${new URL(product.url).port}\n`,
    );
  });

  it('makes its encryption key once, for its owner alone.', async () => {
    const folder = tempFolder();
    const product = await startProcess('standalone', { env: { SVC_DATA_DIR: folder } });
    const path = join(folder, 'encryption.key');
    const key = readFileSync(path, 'utf8');
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await product.restart();
    expect(readFileSync(path, 'utf8')).toBe(key);
  });
});
