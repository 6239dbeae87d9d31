import {
  AppError,
  DraftQuery,
  DuplicateIn,
  FormIn,
  FormOut,
  FormQuery,
  FormTemplate,
  FormTemplateIn,
  FormVersionDetailOut,
  FormVersionOut,
  PageQuery,
} from '@svcforms/contracts';
import { route, type Reply, type Route, type RouteRequest } from '@svcforms/http';
import { hasScope, type Caller } from '@svcforms/identity';
import { draftEtag, ownForm } from '@svcforms/records';
import { createCopies } from './copies.ts';
import { createDraftEnds } from './draft-ends.ts';
import { createDrafts } from './drafts.ts';
import { draftOut } from './form-out.ts';
import type { NewForm } from './create-form.ts';
import { createForms, type FormsDeps } from './forms.ts';
import { createVersions } from './versions.ts';

const FORM = '/api/forms/:formId';

const readForms = { scope: 'forms:read' } as const;
const writeForms = { scope: 'forms:write' } as const;
/** With `forms:draft` only drafts; `requireScope` checks that. */
const writeDrafts = { scope: 'forms:write', orScope: 'forms:draft' } as const;
const readDrafts = { scope: 'forms:read', orScope: 'forms:draft' } as const;

const CREATING =
  'Publishes it as version 1. With `?draft=true`, nobody sees it before it is published; `forms:draft` is enough for that.';

export function formRoutes(deps: FormsDeps): Route[] {
  const forms = createForms(deps);
  const copies = createCopies(deps);
  const drafts = createDrafts(deps);
  const draftEnds = createDraftEnds(deps);
  const versions = createVersions({ ...deps, drafts });

  /** Creates the form that a request describes, as a draft or published. */
  const creating =
    <R extends RouteRequest<DraftQuery>>(formOf: (request: R) => NewForm | Promise<NewForm>) =>
    async (request: R): Promise<Reply> => {
      const { draft } = request.query;
      if (!draft) requireScope(request.caller, 'forms:write');
      const creation = { ...request, ...(await formOf(request)) };
      return draft ? drafts.create(creation) : forms.create(creation);
    };

  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/forms', summary: 'Create a form', access: writeDrafts,
      query: DraftQuery, body: FormIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      description: CREATING, audit: 'form.created', handler: creating<RouteRequest<DraftQuery, FormIn>>(({ body }) => ({ body })) }),
    route({ method: 'GET', path: '/api/forms', summary: 'List forms', access: readForms,
      query: FormQuery, status: 200, response: FormOut, handler: forms.list }),
    route({ method: 'GET', path: FORM, summary: 'Get a form', access: readDrafts,
      description: 'The published form. With `?draft=true`, its draft, or the published form if there is none; `forms:draft` is enough for that.',
      query: DraftQuery, status: 200, response: FormOut, replyHeaders: ['ETag'], handler: async (request) => {
        if (!request.query.draft) {
          requireScope(request.caller, 'forms:read');
          return forms.get(request);
        }
        const form = await ownForm(deps.forms, request.caller, request.params.formId);
        return { data: draftOut(form), headers: { ETag: draftEtag(form) } };
      } }),
    route({ method: 'PUT', path: FORM, summary: 'Replace a form', access: writeDrafts,
      query: DraftQuery, body: FormIn, status: 200, response: FormOut, errors: ['CONFLICT'], requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      description: 'Publishes a new version. With `?draft=true`, saves the draft and changes nothing live; `forms:draft` is enough for that. Trigger parameters that the body omits keep their saved value; `null` removes one. Everything else is replaced.',
      audit: 'form.updated', handler: async (request) => {
        if (request.query.draft) return drafts.replace(request);
        requireScope(request.caller, 'forms:write');
        return forms.replace(request);
      } }),
    route({ method: 'DELETE', path: FORM, summary: 'Delete a form', access: writeForms,
      description: 'Also deletes its webhooks, inbound endpoints and submissions, and stops their deliveries.',
      status: 204, errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'], requestHeaders: ['If-Match'], audit: 'form.deleted', handler: forms.remove }),

    route({ method: 'DELETE', path: `${FORM}/draft`, summary: 'Discard the draft of a form', operationId: 'discardDraft', access: writeDrafts,
      status: 204, errors: ['NOT_FOUND', 'CONFLICT', 'VALIDATION_FAILED'], requestHeaders: ['If-Match'], audit: 'form.draft_discarded', handler: draftEnds.discard }),
    route({ method: 'POST', path: `${FORM}/publish`, summary: 'Publish the draft of a form', operationId: 'publishForm', access: writeForms,
      description: 'Visitors see the draft from then on, as the next version.',
      status: 200, response: FormOut, errors: ['CONFLICT'], idempotent: true, requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      audit: 'form.published', handler: draftEnds.publish }),
    route({ method: 'GET', path: `${FORM}/versions`, summary: 'List the published versions of a form', operationId: 'listFormVersions', access: readForms,
      description: 'Newest first: the current version, and the last 100 that it replaced.',
      query: PageQuery, status: 200, response: FormVersionOut, handler: versions.list }),
    route({ method: 'GET', path: `${FORM}/versions/:version`, summary: 'Get a published version of a form', operationId: 'getFormVersion', access: readForms,
      status: 200, response: FormVersionDetailOut, handler: versions.get }),
    route({ method: 'POST', path: `${FORM}/versions/:version/restore`, summary: 'Make a published version the draft', operationId: 'restoreFormVersion', access: writeDrafts,
      description: 'Replaces the draft, except for `closing`, `retentionDays` and `reviewers` in `settings`, which stay as published. Changes nothing live; publish the draft to go back to that version.',
      status: 200, response: FormOut, errors: ['CONFLICT'], idempotent: true, requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      audit: 'form.version_restored', handler: versions.restore }),

    route({ method: 'POST', path: `${FORM}/duplicate`, summary: 'Duplicate a form', operationId: 'duplicateForm', access: writeDrafts,
      description: CREATING, query: DraftQuery, body: DuplicateIn, optionalBody: true, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      audit: 'form.created', handler: creating(copies.duplicate) }),
    route({ method: 'GET', path: `${FORM}/export`, summary: 'Export a form as a template', operationId: 'exportForm', access: readForms,
      status: 200, response: FormTemplate, handler: copies.export }),
    route({ method: 'POST', path: '/api/forms/import', summary: 'Create a form from a template', operationId: 'importForm', access: writeDrafts,
      description: CREATING, query: DraftQuery, body: FormTemplateIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      audit: 'form.created', handler: creating(copies.import) }),
    route({ method: 'GET', path: '/api/templates', summary: 'List the built-in templates', operationId: 'listTemplates', access: readForms,
      query: PageQuery, status: 200, response: FormTemplate, handler: copies.templates }),
  ];
}

/**
 * For requests that not every scope of their route allows. @throws AppError `INSUFFICIENT_SCOPE`
 */
function requireScope(caller: Caller, scope: 'forms:read' | 'forms:write'): void {
  if (hasScope(caller, scope)) return;
  throw new AppError('INSUFFICIENT_SCOPE', `Without ?draft=true, this call requires the scope ${scope}`, {
    members: { requiredScope: scope },
  });
}
