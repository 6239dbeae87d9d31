import { createSecretBox, DROPPED_SECRET, generateEncryptionKey } from './index.ts';

const [oldKey, newKey] = [generateEncryptionKey(), generateEncryptionKey()];
const CONTEXT = 'webhooks/whk_1';

describe('generateEncryptionKey', () => {
  it('returns 32 bytes in base64', () => {
    expect(Buffer.from(oldKey, 'base64')).toHaveLength(32);
    expect(oldKey).toHaveLength(44);
  });
});

describe('createSecretBox', () => {
  const box = createSecretBox([oldKey]);

  it.each(['', 'whsec_abc', 'geheim é 🔑\u2028', 'x'.repeat(256)])('opens its sealed secret: %j', (plain) => {
    expect(box.open(box.seal(plain, CONTEXT), CONTEXT)).toBe(plain);
  });

  it('seals the same text differently each time and reveals none of it', () => {
    const sealed = box.seal('whsec_abc', CONTEXT);

    expect(box.seal('whsec_abc', CONTEXT)).not.toBe(sealed);
    expect(sealed).toMatch(/^v1\.[0-9a-f]{16}\.[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(sealed).not.toContain('whsec_abc');
  });

  it("doesn't open a secret that was moved to another record", () => {
    const sealed = box.seal('plain', CONTEXT);

    expect(() => box.open(sealed, 'webhooks/whk_2')).toThrow(
      expect.objectContaining({ code: 'NOT_AUTHENTIC' }),
    );
  });

  it.each(['iv', 'ciphertext', 'tag'])("doesn't open a secret whose %s was changed", (part) => {
    const parts = box.seal('plain', CONTEXT).split('.');
    const at = ['version', 'key', 'iv', 'ciphertext', 'tag'].indexOf(part);
    const first = parts[at]?.startsWith('A') ? 'B' : 'A';
    parts[at] = first + (parts[at] ?? '').slice(1);

    expect(() => box.open(parts.join('.'), CONTEXT)).toThrow(
      expect.objectContaining({ code: 'NOT_AUTHENTIC' }),
    );
  });

  it.each(['', 'plain text', 'v2.0.0.0.0', 'v1.0.0.0.0', 'v1.0123456789abcdef.AAAA.AAAA.AAAA'])(
    'calls what no box made ill-formed: %j',
    (text) => {
      expect(() => box.open(text, CONTEXT)).toThrow(expect.objectContaining({ code: 'ILL_FORMED' }));
      expect(() => box.needsResealing(text)).toThrow(expect.objectContaining({ code: 'ILL_FORMED' }));
    },
  );

  it('calls a sealed secret with anything around it ill-formed', () => {
    const sealed = box.seal('plain', CONTEXT);
    for (const text of [` ${sealed}`, `${sealed}.`])
      expect(() => box.open(text, CONTEXT)).toThrow(expect.objectContaining({ code: 'ILL_FORMED' }));
  });

  it("doesn't open a dropped secret, and says that it needs a new one", () => {
    expect(() => box.open(DROPPED_SECRET, CONTEXT)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_KEY', message: expect.stringContaining('set a new one') }),
    );
  });

  it('opens with every key and seals with the first', () => {
    const rotated = createSecretBox([newKey, oldKey]);
    const before = box.seal('plain', CONTEXT);
    const after = rotated.seal('plain', CONTEXT);

    expect(rotated.open(before, CONTEXT)).toBe('plain');
    expect(rotated.open(after, CONTEXT)).toBe('plain');
    expect(createSecretBox([newKey]).open(after, CONTEXT)).toBe('plain');
    expect(rotated.needsResealing(before)).toBe(true);
    expect(rotated.needsResealing(after)).toBe(false);
  });

  it('names a missing key by its id and never by its value', () => {
    const sealed = box.seal('plain', CONTEXT);

    expect(() => createSecretBox([newKey]).open(sealed, CONTEXT)).toThrow(
      expect.objectContaining({
        code: 'UNKNOWN_KEY',
        message: expect.stringContaining(sealed.split('.')[1] ?? 'the key id') as string,
      }),
    );
  });

  it.each<[string, string[]]>([
    ['no key at all', []],
    ['an empty key', ['']],
    ['a key of 16 bytes', [Buffer.alloc(16, 7).toString('base64')]],
    ['a key of 33 bytes', [Buffer.alloc(33, 7).toString('base64')]],
    ['a key in hex', [Buffer.alloc(32, 7).toString('hex')]],
    ['a key with a line end', [`${oldKey}\n`]],
    ['a bad one behind a good one', [oldKey, 'hunter2']],
  ])('rejects %s without repeating it', (_what, keys) => {
    const error = caught(() => createSecretBox(keys));

    expect(error).toMatchObject({ name: 'SecretBoxError', code: 'BAD_KEY' });
    for (const key of keys.filter(Boolean)) expect(String(error)).not.toContain(key.trim());
  });

  it('reports the position of an invalid key', () => {
    expect(() => createSecretBox([oldKey, 'hunter2'])).toThrow('encryption key 2');
  });
});

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
