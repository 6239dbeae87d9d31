import { AppError, validationFailed } from '@svcforms/contracts';
import type { PathRequest, Reply } from '@svcforms/http';
import {
  definitionOf,
  draftEtag,
  formEtag,
  ownForm,
  requireTag,
  SAVE_TRIES,
  tooManyChanges,
} from '@svcforms/records';
import { formOut } from './form-out.ts';
import { publishForm, type PublishDeps } from './publish-form.ts';

/** How drafts end: they are published or discarded. docs/reference/forms.md#drafts */
export function createDraftEnds(deps: PublishDeps) {
  const { forms, policyIssues, keepGroups } = deps;
  return {
    discard: async ({ params, caller, headers, note, audit }: PathRequest<'formId'>): Promise<Reply> => {
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const saved = await ownForm(forms, caller, params.formId);
        requireTag(headers['if-match'], draftEtag(saved), saved.version);
        if (!saved.draft) throw new AppError('NOT_FOUND', 'The form has no draft');
        if (saved.version === 0) {
          throw new AppError(
            'CONFLICT',
            "The form was never published, so its draft can't be discarded. Delete the form instead.",
          );
        }
        const { _id, version, draft } = saved;
        const discarded = await forms.updateOne(
          { _id, version, deletedAt: null, 'draft.revision': draft.revision },
          { $unset: { draft: true }, $set: { draftRevision: draft.revision } },
        );
        if (!discarded) continue;
        note({ event: 'form.draft_discarded', formId: _id });
        audit({ target: { id: _id, name: saved.name } });
        return {};
      }
      throw tooManyChanges();
    },

    publish: async ({ params, caller, headers, note, audit }: PathRequest<'formId'>): Promise<Reply> => {
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const saved = await ownForm(forms, caller, params.formId);
        requireTag(headers['if-match'], draftEtag(saved), saved.version);
        const { draft } = saved;
        if (!draft) {
          throw new AppError('CONFLICT', 'The form has no draft to publish', {
            members: { version: saved.version },
          });
        }
        const { definition, revision } = draft;
        const { accountId } = caller;
        const { settings } = definition;
        const published = await keepGroups({ accountId, settings, saved: saved.settings }, async () => {
          // The draft may be a restored version, or older than the deletion of a group.
          const issues = await policyIssues(accountId, settings, saved.settings);
          if (issues.length > 0) throw validationFailed(issues);
          return publishForm(deps, saved, {
            definition: definitionOf(definition),
            by: caller.id,
            revision,
            audit,
          });
        });
        if (!published) continue;
        note({ event: 'form.published', formId: published._id, version: published.version });
        return { data: formOut(published), headers: { ETag: formEtag(published) } };
      }
      throw tooManyChanges();
    },
  };
}
