import {
  DuplicateIn,
  FormIn,
  FormOut,
  FormQuery,
  FormTemplate,
  FormTemplateIn,
  PageQuery,
} from '@svcforms/contracts';
import { route, type Route } from '@svcforms/http';
import { createCopies } from './copies.ts';
import { createForms, type FormsDeps } from './forms.ts';

const FORM = '/api/forms/:formId';

const readForms = { scope: 'forms:read' } as const;
const writeForms = { scope: 'forms:write' } as const;

export function formRoutes(deps: FormsDeps): Route[] {
  const forms = createForms(deps);
  const copies = createCopies(deps);
  // prettier-ignore
  return [
    route({ method: 'POST', path: '/api/forms', summary: 'Create a form', access: writeForms,
      body: FormIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], audit: 'form.created', handler: forms.create }),
    route({ method: 'GET', path: '/api/forms', summary: 'List forms', access: readForms,
      query: FormQuery, status: 200, response: FormOut, handler: forms.list }),
    route({ method: 'GET', path: FORM, summary: 'Get a form', access: readForms,
      status: 200, response: FormOut, replyHeaders: ['ETag'], handler: forms.get }),
    route({ method: 'PUT', path: FORM, summary: 'Replace a form', access: writeForms,
      body: FormIn, status: 200, response: FormOut, errors: ['CONFLICT'], requestHeaders: ['If-Match'], replyHeaders: ['ETag'],
      description: 'Trigger parameters that the body omits keep their saved value; `null` removes one. Everything else is replaced.',
      audit: 'form.updated', handler: forms.replace }),
    route({ method: 'DELETE', path: FORM, summary: 'Delete a form', access: writeForms,
      description: 'Also deletes its webhooks, inbound endpoints and submissions, and stops their deliveries.',
      status: 204, errors: ['NOT_FOUND'], audit: 'form.deleted', handler: forms.remove }),

    route({ method: 'POST', path: `${FORM}/duplicate`, summary: 'Duplicate a form', operationId: 'duplicateForm', access: writeForms,
      body: DuplicateIn, optionalBody: true, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'],
      audit: 'form.created', handler: copies.duplicate }),
    route({ method: 'GET', path: `${FORM}/export`, summary: 'Export a form as a template', operationId: 'exportForm', access: readForms,
      status: 200, response: FormTemplate, handler: copies.export }),
    route({ method: 'POST', path: '/api/forms/import', summary: 'Create a form from a template', operationId: 'importForm', access: writeForms,
      body: FormTemplateIn, status: 201, response: FormOut, idempotent: true, replyHeaders: ['Location', 'ETag'], audit: 'form.created', handler: copies.import }),
    route({ method: 'GET', path: '/api/templates', summary: 'List the built-in templates', operationId: 'listTemplates', access: readForms,
      query: PageQuery, status: 200, response: FormTemplate, handler: copies.templates }),
  ];
}
