import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { scryptSync } from 'node:crypto';
import { hashPassword, verifyPassword } from './password.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

describe('the hash of a password', () => {
  it('is scrypt with its parameters and its salt, so that it can be checked for ever.', async () => {
    const hash = await hashPassword('correct horse');
    const [scheme, n, r, p, salt = '', key = ''] = hash.split('$');
    expect([scheme, n, r, p]).toEqual(['scrypt', '131072', '8', '1']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: 256 * 1024 * 1024 };
    expect(scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, cost).toString('base64')).toBe(key);
    expect(scryptSync('wrong horse', Buffer.from(salt, 'base64'), 32, cost).toString('base64')).not.toBe(key);
  });

  it('is another one each time.', async () => {
    expect(await hashPassword('x')).not.toBe(await hashPassword('x'));
  });

  it('is of what was meant, however the letters were put together.', async () => {
    const [, , , , salt = '', key] = (await hashPassword('cafe\u0301')).split('$');
    const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 };
    expect(scryptSync('caf\u00e9', Buffer.from(salt, 'base64'), 32, cost).toString('base64')).toBe(key);
  });
});

describe('checking a password', () => {
  it('knows the one that was hashed, and no other.', async () => {
    const hash = await hashPassword('correct horse');
    expect(await verifyPassword('correct horse', hash)).toBe(true);
    expect(await verifyPassword('wrong horse', hash)).toBe(false);
    expect(await verifyPassword('', hash)).toBe(false);
  });

  it('of a user who is not there takes as long, and never succeeds.', async () => {
    const hash = await hashPassword('x');
    const timed = async (of: string | undefined) => {
      const from = performance.now();
      expect(await verifyPassword('y', of)).toBe(false);
      return performance.now() - from;
    };
    const [known, unknown] = [await timed(hash), await timed(undefined)];
    expect(unknown / known).toBeGreaterThan(0.2);
    expect(unknown / known).toBeLessThan(5);
  });
});
