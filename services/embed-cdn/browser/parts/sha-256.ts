/**
 * SHA-256 (FIPS 180-4) of short ASCII texts. `crypto.subtle` exists only on pages with TLS, and
 * waiting for its promise takes longer than the hash itself.
 */

const K = new Int32Array(64);
const INITIAL = new Int32Array(8);
const W = new Int32Array(64);
const bytes = new Uint8Array(64);
const view = new DataView(bytes.buffer);

// The constants are the first 32 bits of the fractions of the roots of the primes.
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0;
for (let n = 2, found = 0; found < 64; n++) {
  let isPrime = true;
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) isPrime = false;
  if (!isPrime) continue;
  if (found < 8) INITIAL[found] = fraction(Math.sqrt(n));
  K[found++] = fraction(Math.cbrt(n));
}

const MAX_LENGTH = 55;

/**
 * Returns the eight words of the hash. The next call overwrites nothing of it.
 * @throws RangeError if the text has more than 55 characters, which is more than one block
 */
export function sha256(text: string): Int32Array {
  const { length } = text;
  if (length > MAX_LENGTH) throw new RangeError('the text is longer than one block');
  bytes.fill(0);
  for (let i = 0; i < length; i++) bytes[i] = text.charCodeAt(i);
  bytes[length] = 0x80;
  view.setUint32(60, length * 8);
  for (let i = 0; i < 16; i++) W[i] = view.getInt32(i * 4);
  for (let i = 16; i < 64; i++) {
    const x = at(W, i - 15);
    const y = at(W, i - 2);
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    W[i] = (at(W, i - 16) + s0 + at(W, i - 7) + s1) | 0;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = INITIAL;
  for (let i = 0; i < 64; i++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + at(K, i) + at(W, i)) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return INITIAL.map((word, i) => (word + at([a, b, c, d, e, f, g, h], i)) | 0);
}

const rotate = (x: number, n: number) => (x >>> n) | (x << (32 - n));
const at = (words: ArrayLike<number>, i: number) => words[i] as number;

/** The first word of a hash in hex. */
export const firstWordOf = (hex: string): number => parseInt(hex.slice(0, 8), 16) | 0;
