import {
  formDefinition,
  themeIssues,
  validationFailed,
  type FormDefinition,
  type FormIn,
} from '@svcforms/contracts';
import type { PathRequest, Reply, RouteRequest } from '@svcforms/http';
import { insertOnce, type FormRecord } from '@svcforms/records';
import { draftEtag, draftOut } from './form-out.ts';
import { requireTag } from './if-match.ts';
import { ownForm } from './own-form.ts';
import type { PublishDeps } from './publish-form.ts';
import { tooManyChanges, SAVE_TRIES } from './save-tries.ts';

/** Drafts of forms: changes that visitors don't see until they are published. docs/reference/forms.md#drafts */
export function createDrafts(deps: PublishDeps) {
  const { forms, now } = deps;

  /** Stores a draft, on top of the version that is published now. @returns `null` after a conflict */
  function store(saved: FormRecord, definition: FormDefinition, by: string): Promise<FormRecord | null> {
    const { _id, version, draft } = saved;
    return forms.findOneAndUpdate(
      { _id, version, deletedAt: null, 'draft.revision': draft?.revision ?? null },
      {
        $set: {
          // The list of forms shows and finds it by its name.
          ...(version === 0 && { name: definition.name }),
          draft: {
            definition,
            basedOn: version,
            revision: (draft?.revision ?? 0) + 1,
            updatedAt: new Date(now()).toISOString(),
            updatedBy: by,
          },
        },
      },
      { returning: 'after' },
    );
  }

  /** Reads the form and stores the draft that `edit` makes of it, again after conflicts. */
  async function save(
    { params, caller, headers }: Pick<PathRequest<'formId'>, 'params' | 'caller' | 'headers'>,
    edit: (saved: FormRecord) => FormDefinition | Promise<FormDefinition>,
  ): Promise<FormRecord> {
    for (let tries = 0; tries < SAVE_TRIES; tries++) {
      const saved = await ownForm(forms, caller, params.formId);
      requireTag(headers['if-match'], draftEtag(saved), saved.version);
      const stored = await store(saved, await edit(saved), caller.id);
      if (stored) return stored;
    }
    throw tooManyChanges();
  }

  const reply = (form: FormRecord): Reply => ({
    data: draftOut(form),
    headers: { ETag: draftEtag(form) },
  });

  return {
    save,
    reply,

    /** Creates a form that isn't published yet. */
    create: async ({ body, caller, newId, note, audit }: RouteRequest<unknown, FormIn>): Promise<Reply> => {
      const { definition, issues } = formDefinition(body);
      if (issues.length > 0) throw validationFailed(issues);
      const at = new Date(now()).toISOString();
      const form = await insertOnce<FormRecord>(forms, {
        _id: newId('frm'),
        accountId: caller.accountId,
        name: definition.name,
        fields: [],
        settings: {},
        verifiesRecipients: true,
        createdAt: at,
        updatedAt: at,
        version: 0,
        draft: { definition, basedOn: 0, revision: 1, updatedAt: at, updatedBy: caller.id },
      });
      note({ event: 'form.draft_created', formId: form._id });
      audit({ action: 'form.draft_saved' });
      const { data, headers } = reply(form);
      return { data, headers: { ...headers, Location: `/api/forms/${form._id}` } };
    },

    replace: async (request: PathRequest<'formId', unknown, FormIn>): Promise<Reply> => {
      const stored = await save(request, (saved) => {
        const before = saved.draft?.definition ?? saved;
        const { definition, issues } = formDefinition(request.body, before.settings.popup);
        issues.push(...themeIssues(definition.settings.theme, before.settings.theme));
        if (issues.length > 0) throw validationFailed(issues);
        return definition;
      });
      request.note({ event: 'form.draft_saved', formId: stored._id });
      request.audit({ action: 'form.draft_saved' });
      return reply(stored);
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
