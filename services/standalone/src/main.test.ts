import { startProcess, tempFolder } from '@svcforms/test-kit';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

jest.setTimeout(60_000);

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
