import {
  AppError,
  validationFailed,
  type FormDefinition,
  type FormVersionDetailOut,
  type FormVersionOut,
  type PageQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { PathRequest, Reply } from '@svcforms/http';
import { definitionOf, type FormRecord, type FormVersionRecord, ownForm, versionOf } from '@svcforms/records';
import type { Drafts } from './drafts.ts';

interface VersionsDeps {
  forms: Collection<FormRecord>;
  versions: Collection<FormVersionRecord>;
  drafts: Pick<Drafts, 'save' | 'reply'>;
}

/** Published versions of forms. docs/reference/forms.md#versions */
export function createVersions({ forms, versions, drafts }: VersionsDeps) {
  /** @throws AppError `NOT_FOUND` */
  async function findVersion(form: FormRecord, text: string): Promise<FormVersionRecord> {
    const version = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
    const found =
      version > 0 && version === form.version
        ? versionOf(form)
        : await versions.findOne({ formId: form._id, version: version < form.version ? version : 0 });
    if (!found) throw new AppError('NOT_FOUND', `The form has no version ${text}`);
    return found;
  }

  return {
    list: async ({ params, query, caller }: PathRequest<'formId', PageQuery>): Promise<Reply> => {
      const { limit, cursor } = query;
      const form = await ownForm(forms, caller, params.formId);
      const before = cursor === undefined ? form.version + 1 : readCursor(cursor);
      const current = form.version > 0 && form.version < before ? [versionOf(form)] : [];
      const replaced = await versions.find(
        { formId: form._id, version: { $lt: Math.min(before, form.version) } },
        { sort: ['-version'], limit: limit + 1 - current.length },
      );
      const found = [...current, ...replaced];
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map((version) => versionOut(version, form)),
        pagination: { nextCursor: last && found.length > limit ? cursorAfter(last) : null, limit },
      };
    },

    get: async ({ params, caller }: PathRequest<'formId' | 'version'>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      return { data: detailOut(await findVersion(form, params.version), form) };
    },

    /**
     * Makes a version the draft. Whether the form is closed, how long its submissions are kept and
     * who may see them isn't content: going back must not close it, erase or show anything.
     */
    restore: async (request: PathRequest<'formId' | 'version'>): Promise<Reply> => {
      const { params, note, audit } = request;
      const stored = await drafts.save(request, async (saved) => {
        const { definition } = await findVersion(saved, params.version);
        return withRulesOf(definition, saved);
      });
      const version = Number(params.version);
      note({ event: 'form.version_restored', formId: stored._id, version });
      audit({ changes: { version: { from: stored.version, to: version } } });
      return drafts.reply(stored);
    },
  };
}

function withRulesOf(version: FormDefinition, now: FormDefinition): FormDefinition {
  const { closing: _, retentionDays: __, reviewers: ___, ...content } = version.settings;
  const { closing, retentionDays, reviewers } = now.settings;
  const rules = {
    ...(closing && { closing }),
    ...(retentionDays !== undefined && { retentionDays }),
    ...(reviewers && { reviewers }),
  };
  return { ...definitionOf(version), settings: { ...content, ...rules } };
}

function versionOut(
  { version, definition, publishedAt, publishedBy }: FormVersionRecord,
  form: FormRecord,
): FormVersionOut {
  const isCurrent = version === form.version;
  return { version, name: definition.name, isCurrent, publishedAt, publishedBy: publishedBy ?? null };
}

function detailOut(version: FormVersionRecord, form: FormRecord): FormVersionDetailOut {
  return { ...versionOut(version, form), ...definitionOf(version.definition) };
}

const cursorAfter = ({ version }: FormVersionRecord): string =>
  Buffer.from(`v${version}`).toString('base64url');

/** @throws AppError `VALIDATION_FAILED` */
function readCursor(cursor: string): number {
  const [, version] = /^v([1-9]\d{0,8})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (version !== undefined) return Number(version);
  throw validationFailed([
    { pointer: '/cursor', message: 'is not a cursor of this list; use nextCursor of the previous page' },
  ]);
}
