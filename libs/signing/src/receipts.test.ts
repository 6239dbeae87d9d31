import { execFileSync } from 'node:child_process';
import { createPrivateKey, sign } from 'node:crypto';
import { createReceiptKeys, createSecretBox, generateEncryptionKey } from './index.ts';

const [current, old] = [generateEncryptionKey(), generateEncryptionKey()];
const keysOf = (...list: string[]) => createReceiptKeys(createSecretBox(list));
const CLAIMS = {
  iss: 'https://forms.example',
  aud: 'acc_1',
  sub: 'tsk_1',
  tool: 'refund',
  actionDigest: 'sha-256:x',
  approvedBy: ['usr_1'],
  iat: 1_700_000_000,
  exp: 4_000_000_000,
};

/**
 * Verifies with the library jose, as a program would. jest can't load it, because it is an ES
 * module.
 */
function verifyWithJose(jwt: string, keys: object): unknown {
  const program = `
    import { createLocalJWKSet, jwtVerify } from 'jose';
    const { jwt, keys } = JSON.parse(process.argv[1]);
    const { payload, protectedHeader } = await jwtVerify(jwt, createLocalJWKSet({ keys }), {
      issuer: 'https://forms.example', audience: 'acc_1', typ: 'approval-receipt+jwt', algorithms: ['EdDSA'],
    });
    console.log(JSON.stringify({ payload, alg: protectedHeader.alg }));`;
  const args = ['--input-type=module', '-e', program, JSON.stringify({ jwt, keys })];
  return JSON.parse(
    execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

it('signs JWTs that jose verifies with the published keys', () => {
  const keys = keysOf(current, old);
  expect(verifyWithJose(keys.sign(CLAIMS), keys.jwks)).toEqual({ payload: CLAIMS, alg: 'EdDSA' });
  expect(() => verifyWithJose(keys.sign(CLAIMS), keysOf(old).jwks)).toThrow();
});

it('reads receipts of every encryption key in the list and of no other', () => {
  const before = keysOf(old).sign(CLAIMS);
  expect(keysOf(current, old).read(before)).toEqual(CLAIMS);
  expect(keysOf(current).read(before)).toBeNull();
  expect(keysOf(current, old).jwks.map(({ kid }) => kid)).toEqual([
    keysOf(current).jwks[0]?.kid,
    keysOf(old).jwks[0]?.kid,
  ]);
});

it('reads nothing that was changed, signed as another type of token, or signed by nobody', () => {
  const keys = keysOf(current);
  const [head = '', payload = '', signature = ''] = keys.sign(CLAIMS).split('.');
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as object;
  /** Signs with the current key, as another part of the product could. */
  const signedWith = (change: object) => {
    const [seed] = createSecretBox([current]).derive('svcforms approval receipts');
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed ?? Buffer.of()]);
    const signed = `${encoded({ ...header, ...change })}.${payload}`;
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
  expect(keys.read(signedWith({}))).toEqual(CLAIMS);
  for (const jwt of [
    signedWith({ typ: 'JWT' }),
    signedWith({ alg: 'HS256' }),
    `${head}.${encoded({ ...CLAIMS, aud: 'acc_2' })}.${signature}`,
    `${head}.${payload}.`,
    `${head}.${payload}.${signature}.`,
    `${head}.${payload}`,
    '',
  ])
    expect(keys.read(jwt)).toBeNull();
});

it('publishes nothing of the private key', () => {
  const { jwks } = keysOf(current);
  expect(Object.keys(jwks[0] ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
});
