import { generateToken, generateWebhookSecret, hashToken } from './index.ts';

describe('generateWebhookSecret', () => {
  it('returns the prefix and 32 random bytes in base64', () => {
    const secret = generateWebhookSecret();

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateWebhookSecret()).not.toBe(secret);
  });
});

describe('generateToken', () => {
  it('returns the prefix and 43 random base64url characters', () => {
    const token = generateToken('svc_inb_');

    expect(token).toMatch(/^svc_inb_[\w-]{43}$/);
    expect(generateToken('svc_inb_')).not.toBe(token);
  });
});

describe('hashToken', () => {
  it('returns SHA-256 in hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
