import { generateToken, generateWebhookSecret, hashToken } from './index.ts';

describe('generateWebhookSecret', () => {
  it('is the prefix and 32 bytes in base64, new each time', () => {
    const secret = generateWebhookSecret();

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(generateWebhookSecret()).not.toBe(secret);
  });
});

describe('generateToken', () => {
  it('is the prefix and 43 base64url characters, new each time', () => {
    const token = generateToken('svc_inb_');

    expect(token).toMatch(/^svc_inb_[\w-]{43}$/);
    expect(generateToken('svc_inb_')).not.toBe(token);
  });
});

describe('hashToken', () => {
  it('is SHA-256 in hex', () => {
    expect(hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
