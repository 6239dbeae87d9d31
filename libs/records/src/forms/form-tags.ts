import { AppError } from '@svcforms/contracts';
import type { Filter } from '@svcforms/document-store';
import type { FormRecord } from '../collections/form.ts';

type TaggedForm = Pick<FormRecord, 'version' | 'draft'>;

/**
 * The entity tag of the published form. One that was never published shows its draft, and has its
 * tag.
 */
export const formEtag = (form: TaggedForm): string =>
  form.version === 0 ? draftEtag(form) : `"${form.version}"`;

/** Matches the form while it has the same {@link formEtag}. */
export const sameTag = ({ version, draft }: TaggedForm): Filter<FormRecord> => ({
  version,
  ...(version === 0 && { 'draft.revision': draft?.revision ?? null }),
});

/**
 * The entity tag of the draft. It changes with each save of the draft and each publication; without
 * a draft, it is that of the published form.
 */
export const draftEtag = ({ version, draft }: TaggedForm): string =>
  draft ? `"${version}.${draft.revision}"` : `"${version}"`;

/** One entity tag: quoted and possibly weak, or without its quotes, as many clients send it. */
const TAG = /^(?:(?:W\/)?"([^"]*)"|(\d+(?:\.\d+)?))$/;

/**
 * Refuses a change if `If-Match` doesn't allow it.
 * @param tag the entity tag of what is saved, such as `"3"`
 * @throws AppError `CONFLICT`, `VALIDATION_FAILED` for a malformed list of tags
 */
export function requireTag(ifMatch: string | undefined, tag: string, version: number): void {
  if (matchesVersion(ifMatch, tag.slice(1, -1))) return;
  throw new AppError(
    'CONFLICT',
    `The form has changed: it is at version ${version}, with the ETag ${tag}, not ${ifMatch}`,
    {
      members: { version },
    },
  );
}

/**
 * Whether `If-Match` allows a change of `version`. Weak tags match too, because proxies that
 * compress make them weak. The header lists tags separated by commas; `*` matches any version, and
 * so does no header.
 * @throws AppError `VALIDATION_FAILED` for a malformed list of tags
 */
function matchesVersion(ifMatch: string | undefined, version: number | string): boolean {
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
