import {
  formDefinition,
  maySeeForm,
  themeIssues,
  validationFailed,
  type FormIn,
  type FormQuery,
} from '@svcforms/contracts';
import { findPage, type EnterSearch, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import {
  type Eraser,
  formEtag,
  type FormRecord,
  ownForm,
  requireTag,
  sameTag,
  SAVE_TRIES,
  tooManyChanges,
} from '@svcforms/records';
import { createForm, type NewForm } from './create-form.ts';
import { formOut } from './form-out.ts';
import { publishForm, type PublishDeps } from './publish-form.ts';

export interface FormsDeps extends PublishDeps {
  eraser: Pick<Eraser, 'form' | 'formIfUnchanged'>;
  enterSearch: EnterSearch;
}

export function createForms(deps: FormsDeps) {
  const { forms, eraser, policyIssues, keepGroups, enterSearch } = deps;
  return {
    create: (request: Omit<RouteRequest, 'body'> & NewForm): Promise<Reply> => createForm(deps, request),

    list: async ({ query, caller, signal }: RouteRequest<FormQuery>): Promise<Reply> => {
      const wanted = query.q?.toLowerCase();
      const filter = { accountId: caller.accountId, deletedAt: null };
      const release = wanted ? await enterSearch(caller.id, signal) : () => {};
      try {
        const { items, pagination } = await findPage(forms, filter, {
          prefix: 'frm',
          ...query,
          ...(wanted || caller.memberOf
            ? {
                matches: (form: FormRecord) =>
                  maySeeForm(caller, form) && (!wanted || form.name.toLowerCase().includes(wanted)),
                signal,
              }
            : {}),
        });
        return { data: items.map(formOut), pagination };
      } finally {
        release();
      }
    },

    get: async ({ params, caller }: PathRequest<'formId'>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      return { data: formOut(form), headers: { ETag: formEtag(form) } };
    },

    replace: async ({
      params,
      body,
      caller,
      headers,
      note,
      audit,
    }: PathRequest<'formId', unknown, FormIn>): Promise<Reply> => {
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const saved = await ownForm(forms, caller, params.formId);
        requireTag(headers['if-match'], formEtag(saved), saved.version);
        // A form that was never published has nothing but its draft.
        const draft = saved.version === 0 ? saved.draft : undefined;
        const before = draft?.definition ?? saved;
        const { definition, issues } = formDefinition(body, before);
        const { accountId } = caller;
        const { settings } = definition;
        const replaced = await keepGroups({ accountId, settings, saved: saved.settings }, async () => {
          issues.push(...(await policyIssues(accountId, settings, saved.settings)));
          issues.push(...themeIssues(settings.theme, before.settings.theme));
          if (issues.length > 0) throw validationFailed(issues);
          return publishForm(deps, saved, {
            definition,
            by: caller.id,
            ...(draft && { revision: draft.revision }),
            audit,
          });
        });
        if (replaced) {
          note({ event: 'form.replaced', formId: replaced._id, version: replaced.version });
          return { data: formOut(replaced), headers: { ETag: formEtag(replaced) } };
        }
      }
      throw tooManyChanges();
    },

    remove: async ({ params, caller, headers, note, audit }: PathRequest<'formId'>): Promise<Reply> => {
      const ifMatch = headers['if-match'];
      for (let tries = 0; tries < SAVE_TRIES; tries++) {
        const form = await ownForm(forms, caller, params.formId);
        requireTag(ifMatch, formEtag(form), form.version);
        const onRecord = () => audit({ target: { name: form.name } });
        if (ifMatch === undefined) await eraser.form(form, onRecord);
        else if (!(await eraser.formIfUnchanged(form, sameTag(form), onRecord))) continue;
        note({ event: 'form.deleted', formId: form._id });
        return {};
      }
      throw tooManyChanges();
    },
  };
}
