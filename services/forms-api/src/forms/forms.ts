import {
  AppError,
  formDefinition,
  validationFailed,
  type AuditChanges,
  type FormIn,
  type FormQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import type { Caller } from '@svcforms/identity';
import type { FormRecord } from '@svcforms/records';
import type { EnterSearch } from '../submissions/search-gate.ts';
import type { Recipients } from '../notifications/recipients.ts';
import { createForm } from './create-form.ts';
import { formOut } from './form-out.ts';
import { matchesVersion } from './if-match.ts';

export interface FormsDeps {
  forms: Collection<FormRecord>;
  /** Removes what belongs to a form that was marked as deleted, then the form. */
  removeForm: (form: FormRecord) => Promise<void>;
  recipients: Pick<Recipients, 'trustSaved' | 'askNew'>;
  /** Lets one search of a caller run at a time. */
  enterSearch: EnterSearch;
  now: () => number;
}

/** Other saves of the same form may come in between; after so many, something else is wrong. */
const SAVE_TRIES = 20;

/** The form, if it is the caller's. @throws AppError `NOT_FOUND`, also for another account's form. */
export async function ownForm(
  forms: Collection<FormRecord>,
  caller: Caller,
  formId: string,
): Promise<FormRecord> {
  const form = await forms.findOne({ _id: formId, accountId: caller.accountId, deletedAt: null });
  if (!form) throw new AppError('NOT_FOUND', 'There is no such form');
  return form;
}

export function createForms({ forms, removeForm, recipients, enterSearch, now }: FormsDeps) {
  const at = () => new Date(now()).toISOString();
  return {
    create: (request: RouteRequest<unknown, FormIn>): Promise<Reply> =>
      createForm({ forms, recipients, now }, request),

    list: async ({ query, caller, signal }: RouteRequest<FormQuery>): Promise<Reply> => {
      const wanted = query.q?.toLowerCase();
      const filter = { accountId: caller.accountId, deletedAt: null };
      const leave = wanted ? await enterSearch(caller.id, signal) : () => {};
      try {
        const { items, pagination } = await findPage(forms, filter, {
          prefix: 'frm',
          ...query,
          ...(wanted
            ? { matches: (form: FormRecord) => form.name.toLowerCase().includes(wanted), signal }
            : {}),
        });
        return { data: items.map(formOut), pagination };
      } finally {
        leave();
      }
    },

    get: async ({ params, caller }: PathRequest<'formId'>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      return { data: formOut(form), headers: { ETag: `"${form.version}"` } };
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
        if (!matchesVersion(headers['if-match'], saved.version)) {
          throw new AppError(
            'CONFLICT',
            `The form was changed meanwhile: it has version ${saved.version}, not ${headers['if-match']}`,
            { members: { version: saved.version } },
          );
        }
        const { definition, issues } = formDefinition(body, saved.settings.popup);
        if (issues.length > 0) throw validationFailed(issues);
        await recipients.trustSaved(saved);
        const replaced = await forms.findOneAndUpdate(
          { _id: saved._id, version: saved.version, deletedAt: null },
          {
            $set: {
              ...definition,
              verifiesRecipients: true,
              updatedAt: at(),
              version: saved.version + 1,
            },
            ...(definition.description === undefined ? { $unset: { description: true } } : {}),
          },
          { returning: 'after' },
        );
        if (replaced) {
          await recipients.askNew(replaced, saved);
          note({ event: 'form.replaced', formId: replaced._id, version: replaced.version });
          audit({ changes: formChanges(saved, replaced) });
          return { data: formOut(replaced), headers: { ETag: `"${replaced.version}"` } };
        }
      }
      throw new AppError('CONFLICT', 'The form is being changed by too many others right now; try again');
    },

    remove: async ({ params, caller, note, audit }: PathRequest<'formId'>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      await forms.updateOne({ _id: form._id }, { $set: { deletedAt: at() } });
      await removeForm(form);
      note({ event: 'form.deleted', formId: form._id });
      audit({ target: { name: form.name } });
      return {};
    },
  };
}

/** For the audit log: which parts of the definition changed, with the values of the short ones that everybody may see. */
function formChanges(before: FormRecord, after: FormRecord): AuditChanges {
  const settings = (form: FormRecord) =>
    Object.fromEntries(Object.entries(form.settings).map(([name, value]) => [`settings.${name}`, value]));
  const [old, current] = [settings(before), settings(after)];
  return {
    ...changesBetween(before, after, { names: ['name', 'version'], hidden: ['description', 'fields'] }),
    ...changesBetween(old, current, { names: [], hidden: Object.keys({ ...old, ...current }) }),
  };
}
