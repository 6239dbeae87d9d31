import {
  validationFailed,
  type DraftQuery,
  type DuplicateIn,
  type FormTemplate,
  type FormTemplateIn,
  type PageQuery,
} from '@svcforms/contracts';
import type { PathRequest, Reply, RouteRequest } from '@svcforms/http';
import { definitionOf, type FormRecord, ownForm } from '@svcforms/records';
import { BUILT_IN_TEMPLATES } from './built-in-templates.ts';
import type { NewForm } from './create-form.ts';
import { shownDefinition } from './form-out.ts';
import type { FormsDeps } from './forms.ts';

const MAX_NAME = 200;

/** Duplicates of forms, and templates. docs/reference/forms.md#templates */
export function createCopies({ forms, recipients }: Pick<FormsDeps, 'forms' | 'recipients'>) {
  return {
    /**
     * The form to create as a copy, without the webhooks, inbound endpoints and submissions of the
     * original.
     */
    duplicate: async ({
      params,
      body,
      caller,
    }: PathRequest<'formId', DraftQuery, DuplicateIn>): Promise<NewForm> => {
      const form = await ownForm(forms, caller, params.formId);
      await recipients.trustSaved(form);
      const { template: _, ...definition } = templateOf(form);
      return { body: { ...definition, name: body.name ?? copyName(form.name) }, copied: definition };
    },

    export: async ({ params, caller }: PathRequest<'formId'>): Promise<Reply> => {
      const template = templateOf(await ownForm(forms, caller, params.formId));
      return { data: { ...template, settings: withoutReviewers(template.settings) } };
    },

    /** The form to create from a template. */
    import: ({ body }: RouteRequest<DraftQuery, FormTemplateIn>): NewForm => {
      const { template: _, ...form } = body;
      return { body: form };
    },

    templates: async ({ query: { cursor, limit } }: RouteRequest<PageQuery>): Promise<Reply> => {
      const from =
        cursor === undefined ? 0 : BUILT_IN_TEMPLATES.findIndex((last) => cursorAfter(last) === cursor) + 1;
      if (cursor !== undefined && from === 0) {
        throw validationFailed([{ pointer: '/cursor', message: 'is not a cursor of this list' }]);
      }
      const data = BUILT_IN_TEMPLATES.slice(from, from + limit);
      const last = data.at(-1);
      const nextCursor = last && from + limit < BUILT_IN_TEMPLATES.length ? cursorAfter(last) : null;
      return { data, pagination: { nextCursor, limit } };
    },
  };
}

function templateOf(form: FormRecord): FormTemplate {
  return { template: 1, ...definitionOf(shownDefinition(form)) };
}

/** Without the users and groups of this account, which another one doesn't have. */
function withoutReviewers({
  tasks,
  reviewers: _reviewers,
  ...settings
}: FormTemplate['settings']): FormTemplate['settings'] {
  const { policy: _policy, escalateTo: _to, escalateAfterSeconds: _after, ...others } = tasks ?? {};
  return Object.keys(others).length > 0 ? { ...settings, tasks: others } : settings;
}

const cursorAfter = ({ name }: FormTemplate): string => Buffer.from(name).toString('base64url');

function copyName(name: string): string {
  const ending = ' (copy)';
  // Iterating by characters never splits a surrogate pair.
  let kept = '';
  for (const character of name) {
    if (kept.length + character.length + ending.length > MAX_NAME) break;
    kept += character;
  }
  return kept + ending;
}
