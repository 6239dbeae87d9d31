import { maySeeForm } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage } from '@svcforms/http';
import type { FormRecord } from '@svcforms/records';
import { z } from 'zod';
import type { FindForm } from '../tasks/find-form.ts';
import { formExample, formSchema } from './form-schema.ts';
import { cursor, formId, limit, nextCursor, tool, type Tool } from './tool.ts';

interface FormToolsDeps {
  forms: Pick<Collection<FormRecord>, 'find'>;
  findForm: FindForm;
}

export function formTools({ forms, findForm }: FormToolsDeps): Tool[] {
  return [
    tool({
      name: 'list_forms',
      title: 'List forms',
      description: 'Lists the forms of the account, newest first. Tasks and submissions belong to a form.',
      scopes: ['forms:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ limit, cursor }),
      output: z.object({
        forms: z.array(
          z.object({
            formId,
            name: z.string(),
            description: z.string().optional(),
            fields: z.array(z.string()).meta({ description: 'Field names.' }),
          }),
        ),
        nextCursor,
      }),
      async run(page, { actor }) {
        const filter = { accountId: actor.accountId, deletedAt: null, version: { $gt: 0 } };
        const { items, pagination } = await findPage(forms, filter, {
          prefix: 'frm',
          ...page,
          ...(actor.memberOf && { matches: (form: FormRecord) => maySeeForm(actor, form) }),
        });
        return {
          forms: items.map(({ _id, name, description, fields }) => ({
            formId: _id,
            name,
            ...(description === undefined ? {} : { description }),
            fields: fields.map((field) => field.name),
          })),
          nextCursor: pagination.nextCursor,
        };
      },
    }),
    tool({
      name: 'get_form_schema',
      title: 'Get the schema of a form',
      description:
        'Returns the JSON Schema of the values that a form accepts, with an example. Use it to build the prefill of a task.',
      scopes: ['forms:read'],
      readOnly: true,
      idempotent: true,
      input: z.strictObject({ formId }),
      output: z.object({
        formId,
        name: z.string(),
        schema: z
          .record(z.string(), z.unknown())
          .meta({ description: 'JSON Schema of the values by field name.' }),
        example: z
          .record(z.string(), z.unknown())
          .meta({ description: 'Valid values. Fields that no value fits are left out.' }),
      }),
      async run(args, { actor }) {
        const { _id, name, fields, settings } = await findForm(actor, args.formId);
        return {
          formId: _id,
          name,
          schema: formSchema(fields, settings.jumps),
          example: formExample(fields),
        };
      },
    }),
  ];
}
