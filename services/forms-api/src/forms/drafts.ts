import type { FormDefinition, FormIn } from '@svcforms/contracts';
import type { PathRequest, Reply, RouteRequest } from '@svcforms/http';
import { createDraftStore, draftEtag, type FormRecord } from '@svcforms/records';
import { draftOut } from './form-out.ts';
import type { NewForm } from './create-form.ts';
import type { PublishDeps } from './publish-form.ts';

/** The operations on drafts of forms. docs/reference/forms.md#drafts */
export function createDrafts(deps: Pick<PublishDeps, 'forms' | 'policyIssues' | 'keepGroups' | 'now'>) {
  const drafts = createDraftStore(deps);

  const reply = (form: FormRecord): Reply => ({
    data: draftOut(form),
    headers: { ETag: draftEtag(form) },
  });

  const targetOf = ({ params, headers }: Pick<PathRequest<'formId'>, 'params' | 'headers'>) => ({
    formId: params.formId,
    ifMatch: headers['if-match'],
  });

  return {
    /** Reads the form and stores the draft that `edit` makes of it, again after conflicts. */
    save: (
      request: Pick<PathRequest<'formId'>, 'params' | 'caller' | 'headers'>,
      edit: (saved: FormRecord) => FormDefinition | Promise<FormDefinition>,
    ): Promise<FormRecord> => drafts.save(request.caller, targetOf(request), edit),
    reply,

    /** Creates a form that isn't published yet. */
    create: async ({
      body,
      copied,
      caller,
      newId,
      note,
      audit,
    }: Omit<RouteRequest, 'body'> & NewForm): Promise<Reply> => {
      const form = await drafts.create(caller, newId('frm'), body, copied);
      note({ event: 'form.draft_created', formId: form._id });
      audit({ action: 'form.draft_saved' });
      const { data, headers } = reply(form);
      return { data, headers: { ...headers, Location: `/api/forms/${form._id}` } };
    },

    replace: async (request: PathRequest<'formId', unknown, FormIn>): Promise<Reply> => {
      const stored = await drafts.replace(request.caller, targetOf(request), request.body);
      request.note({ event: 'form.draft_saved', formId: stored._id });
      request.audit({ action: 'form.draft_saved' });
      return reply(stored);
    },
  };
}

export type Drafts = ReturnType<typeof createDrafts>;
