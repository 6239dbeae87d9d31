import {
  AppError,
  formDefinition,
  themeIssues,
  validationFailed,
  type AuditChanges,
  type FormDefinition,
  type FormIn,
  type FormQuery,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { changesBetween, findPage, type PathRequest, type Reply, type RouteRequest } from '@svcforms/http';
import type { Eraser, FormRecord } from '@svcforms/records';
import type { FindPolicyIssues } from '../groups/policy-issues.ts';
import type { EnterSearch } from '../search/search-limiter.ts';
import type { Recipients } from '../notifications/recipients.ts';
import { createForm } from './create-form.ts';
import { formOut } from './form-out.ts';
import { matchesVersion } from './if-match.ts';
import { ownForm } from './own-form.ts';

export interface FormsDeps {
  forms: Collection<FormRecord>;
  eraser: Pick<Eraser, 'form'>;
  recipients: Pick<Recipients, 'trustSaved' | 'requestForAdded'>;
  policyIssues: FindPolicyIssues;
  enterSearch: EnterSearch;
  now: () => number;
}

/** Others may save the form at the same time. More conflicts than this have another cause. */
const SAVE_TRIES = 20;

export function createForms({ forms, eraser, recipients, policyIssues, enterSearch, now }: FormsDeps) {
  const at = () => new Date(now()).toISOString();
  return {
    create: (request: RouteRequest<unknown, FormIn>): Promise<Reply> =>
      createForm({ forms, recipients, policyIssues, now }, request),

    list: async ({ query, caller, signal }: RouteRequest<FormQuery>): Promise<Reply> => {
      const wanted = query.q?.toLowerCase();
      const filter = { accountId: caller.accountId, deletedAt: null };
      const release = wanted ? await enterSearch(caller.id, signal) : () => {};
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
        release();
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
            `The form has changed: it is at version ${saved.version}, not ${headers['if-match']}`,
            { members: { version: saved.version } },
          );
        }
        const { definition, issues } = formDefinition(body, saved.settings.popup);
        issues.push(...(await policyIssues(caller.accountId, definition.settings, saved.settings)));
        issues.push(...themeIssues(definition.settings.theme, saved.settings.theme));
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
            ...unsetOf(definition),
          },
          { returning: 'after' },
        );
        if (replaced) {
          await recipients.requestForAdded(replaced, saved);
          note({ event: 'form.replaced', formId: replaced._id, version: replaced.version });
          audit({ changes: formChanges(saved, replaced) });
          return { data: formOut(replaced), headers: { ETag: `"${replaced.version}"` } };
        }
      }
      throw new AppError('CONFLICT', 'Too many others are changing this form. Try again.');
    },

    remove: async ({ params, caller, note, audit }: PathRequest<'formId'>): Promise<Reply> => {
      const form = await ownForm(forms, caller, params.formId);
      await forms.updateOne({ _id: form._id }, { $set: { deletedAt: at() } });
      await eraser.form(form);
      note({ event: 'form.deleted', formId: form._id });
      audit({ target: { name: form.name } });
      return {};
    },
  };
}

/** A property that the definition doesn't have is removed. */
function unsetOf(definition: FormDefinition): { $unset?: Record<string, true> } {
  const absent = (['description', 'title', 'intro'] as const).filter(
    (name) => definition[name] === undefined,
  );
  return absent.length === 0 ? {} : { $unset: Object.fromEntries(absent.map((name) => [name, true])) };
}

/** Changes for the audit log: the changed parts of the definition, with the values of short ones that aren't confidential. */
function formChanges(before: FormRecord, after: FormRecord): AuditChanges {
  const settings = (form: FormRecord) =>
    Object.fromEntries(Object.entries(form.settings).map(([name, value]) => [`settings.${name}`, value]));
  const [old, current] = [settings(before), settings(after)];
  return {
    ...changesBetween(before, after, {
      names: ['name', 'version'],
      hidden: ['description', 'title', 'intro', 'fields'],
    }),
    ...changesBetween(old, current, { names: [], hidden: Object.keys({ ...old, ...current }) }),
  };
}
