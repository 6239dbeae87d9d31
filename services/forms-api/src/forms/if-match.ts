import { AppError } from '@svcforms/contracts';

/** One entity tag: quoted, perhaps weak; a bare version, which is what many write, is meant as one. */
const TAG = /^(?:(?:W\/)?"([^"]*)"|(\d+))$/;

/**
 * Whether `If-Match` lets a change of `version` through. Weak tags match too: proxies that compress weaken them, and a version
 * is what it is. Several are separated by commas; `*` matches whatever is there; absent, nobody asked.
 * @throws AppError `VALIDATION_FAILED` for what is no list of tags.
 */
export function matchesVersion(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  const versions = ifMatch.split(',').map((text) => {
    const [, quoted, bare] = TAG.exec(text.trim()) ?? [];
    const tag = quoted ?? bare;
    if (tag === undefined) {
      throw new AppError(
        'VALIDATION_FAILED',
        `If-Match must be the ETag of the form, such as "${version}", or *`,
      );
    }
    return tag;
  });
  return versions.includes(String(version));
}
