import type { CreateOptions } from './types.ts';

const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** Returns a new signing secret of 32 random bytes, in the format of Standard Webhooks. */
export function newSecret(): string {
  return `whsec_${btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))}`;
}

/** Returns 32 random bytes in hex. */
export function newHexSecret(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(32)));
}

/** Encodes bytes in hex. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Checks that a request may contain a secret that this client generates. A second request with the
 * caller's idempotency key would contain another one, and the server refuses the same key with
 * another body.
 * @throws TypeError if the caller chose the idempotency key.
 */
export function checkMayGenerate(options: CreateOptions | undefined): void {
  if (options?.idempotencyKey)
    throw new TypeError(
      'idempotencyKey needs a secret of your own, because each call would generate another one',
    );
}

/**
 * Hides secret properties of a result from `console.log` and `util.inspect`. JSON has them, for
 * programs that store them.
 */
export function concealed<T extends object>(result: T, ...secrets: (keyof T)[]): T {
  const inspect = (): object =>
    Object.fromEntries(
      Object.entries(result).map(([name, value]) => [
        name,
        secrets.includes(name as keyof T) && typeof value === 'string' ? '…' : (value as unknown),
      ]),
    );
  return Object.defineProperty(result, INSPECT, { value: inspect });
}

/** Defines what `util.inspect` and `JSON.stringify` show of an object with private fields. */
export function described(target: object, name: string, shown: () => object): void {
  Object.defineProperties(target, {
    toJSON: { value: shown },
    [INSPECT]: {
      value: (_depth: number, options: object, inspect?: (value: unknown, options: object) => string) =>
        inspect ? `${name} ${inspect(shown(), options)}` : shown(),
    },
  });
}
