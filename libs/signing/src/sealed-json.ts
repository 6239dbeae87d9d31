import { isNotOpened, type SecretBox } from './secret-box.ts';

/** Seals a value as a token that nobody else can make, read or change. */
export const sealJson = (box: Pick<SecretBox, 'seal'>, value: object, context: string): string =>
  box.seal(JSON.stringify(value), context);

/** Returns the value in a token of `sealJson` with the same context; `null` if it isn't one. */
export function openJson<T>(box: Pick<SecretBox, 'open'>, token: string, context: string): T | null {
  try {
    return JSON.parse(box.open(token, context)) as T;
  } catch (error) {
    if (isNotOpened(error)) return null;
    throw error;
  }
}
