import type { FormDefinition } from '@svcforms/contracts';
import { unsetting, type AnyDocument, type Collection } from '@svcforms/document-store';
import type { RouteRequest } from '@svcforms/http';
import { isoTime, type Clock } from '@svcforms/primitives';
import {
  type FindPolicyIssues,
  FORM_VERSIONS_KEPT,
  type FormRecord,
  type FormVersionRecord,
  insertOnce,
  type KeepGroups,
  versionOf,
} from '@svcforms/records';
import { formChanges } from './form-changes.ts';
import type { Recipients } from '../notifications/recipients.ts';

export interface PublishDeps {
  forms: Collection<FormRecord>;
  versions: Collection<FormVersionRecord>;
  recipients: Pick<Recipients, 'trustSaved' | 'requestForAdded'>;
  policyIssues: FindPolicyIssues;
  keepGroups: KeepGroups;
  now: Clock;
}

/** What is published, by whom, and whether that is the saved draft. */
export interface Publication {
  definition: FormDefinition;
  by: string;
  /** The revision of the draft that is published, and ends with that. Absent: the draft stays. */
  revision?: number;
  audit: RouteRequest['audit'];
}

/**
 * Publishes a definition as the next version of a form, in one conditional update. The version that
 * it replaces is kept first; a crash in between changes nothing, because that version is the same
 * in the form and among the kept ones.
 * @returns `null` if somebody else has saved the form since `saved` was read
 */
export async function publishForm(
  { forms, versions, recipients, now }: PublishDeps,
  saved: FormRecord,
  { definition, by, revision, audit }: Publication,
): Promise<FormRecord | null> {
  const at = isoTime(now());
  await recipients.trustSaved(saved);
  if (saved.version > 0) await insertOnce<FormVersionRecord>(versions, versionOf(saved));
  const isLimited = definition.settings.closing?.maxSubmissions !== undefined;
  const absent = [
    ...(['description', 'title', 'intro'] as const).filter((name) => definition[name] === undefined),
    ...(isLimited ? [] : (['limitedSince'] as const)),
    ...(revision === undefined ? [] : (['draft'] as const)),
  ];
  const published = await forms.findOneAndUpdate(
    {
      _id: saved._id,
      version: saved.version,
      deletedAt: null,
      ...(revision !== undefined && { 'draft.revision': revision }),
    },
    {
      $set: {
        ...definition,
        ...(isLimited && { limitedSince: saved.limitedSince ?? at }),
        verifiesRecipients: true,
        updatedAt: at,
        version: saved.version + 1,
        publishedBy: by,
      },
      ...unsetting(absent),
    },
    { returning: 'after' },
  );
  const formId = saved._id;
  if (!published) {
    // Erasing the form may have missed the version.
    if (!(await forms.findOne({ _id: formId, deletedAt: null }))) await versions.deleteMany({ formId });
    return null;
  }
  audit({ target: { name: published.name }, changes: formChanges(saved, published) });
  await (versions as Collection<FormVersionRecord, AnyDocument>).deleteMany({
    formId,
    version: { $lte: saved.version - FORM_VERSIONS_KEPT },
  });
  await recipients.requestForAdded(published, saved.version > 0 ? saved : undefined);
  return published;
}
