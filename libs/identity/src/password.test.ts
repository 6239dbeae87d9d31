import { TEST_TIMEOUT_MS } from '@svcforms/test-kit';
import { scryptSync } from 'node:crypto';
import { createPasswordHasher, passwordHasher } from './password.ts';

jest.setTimeout(2 * TEST_TIMEOUT_MS);

const CHEAP = { N: 2 ** 4, r: 8, p: 1 };
const CALLER = { id: 'usr_1', isKnown: true };
const { hash, verify } = createPasswordHasher({ cost: CHEAP });

describe('hashing a password', () => {
  it('uses scrypt at full cost by default and stores the parameters and the salt', async () => {
    const full = await passwordHasher.hash('correct horse');
    const [scheme, n, r, p, salt = '', key = ''] = full.split('$');
    expect([scheme, n, r, p]).toEqual(['scrypt', '131072', '8', '1']);
    expect(Buffer.from(salt, 'base64')).toHaveLength(16);
    const cost = { N: Number(n), r: Number(r), p: Number(p), maxmem: 256 * 1024 * 1024 };
    expect(scryptSync('correct horse', Buffer.from(salt, 'base64'), 32, cost).toString('base64')).toBe(key);
    expect(scryptSync('wrong horse', Buffer.from(salt, 'base64'), 32, cost).toString('base64')).not.toBe(key);
  });

  it('uses a new salt for each hash', async () => {
    expect(await hash('x')).not.toBe(await hash('x'));
  });

  it('normalizes Unicode', async () => {
    const [, n, r, p, salt = '', key] = (await hash('cafe\u0301')).split('$');
    expect([n, r, p]).toEqual(['16', '8', '1']);
    expect(scryptSync('caf\u00e9', Buffer.from(salt, 'base64'), 32, CHEAP).toString('base64')).toBe(key);
  });
});

describe('verifying a password', () => {
  it('accepts the password that was hashed and no other', async () => {
    const stored = await hash('correct horse');
    expect(await verify('correct horse', stored, CALLER)).toBe(true);
    expect(await verify('wrong horse', stored, CALLER)).toBe(false);
    expect(await verify('', stored, CALLER)).toBe(false);
  });

  it('accepts hashes of another cost', async () => {
    expect(await passwordHasher.verify('correct horse', await hash('correct horse'), CALLER)).toBe(true);
  });

  it('takes as long for a user who does not exist, and fails', async () => {
    const stored = await passwordHasher.hash('x');
    const timed = async (of: string | undefined) => {
      const from = performance.now();
      expect(await passwordHasher.verify('y', of, CALLER)).toBe(false);
      return performance.now() - from;
    };
    const [known, unknown] = [await timed(stored), await timed(undefined)];
    expect(unknown / known).toBeGreaterThan(0.2);
    expect(unknown / known).toBeLessThan(5);
  });
});
