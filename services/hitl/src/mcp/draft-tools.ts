import {
  FIELD_TYPES,
  FormIn,
  maySeeForm,
  newId,
  readInput,
  themeIssues,
  validationFailed,
  type FormDefinition,
} from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { findPage } from '@svcforms/http';
import {
  definitionOf,
  draftEtag,
  ownForm,
  requireTag,
  type DraftStore,
  type FindPolicyIssues,
  type FormRecord,
} from '@svcforms/records';
import { z } from 'zod';
import { definitionProblems } from './definition-problems.ts';
import { FORMAT_PARTS, formatOf } from './form-format.ts';
import { renderForm } from './render-form.ts';
import { cursor, limit, nextCursor, tool, type Tool, type ToolCall } from './tool.ts';

export interface DraftToolsDeps {
  forms: Pick<Collection<FormRecord>, 'findOne' | 'find'>;
  drafts: Pick<DraftStore, 'create' | 'replace'>;
  policyIssues: FindPolicyIssues;
  /** Public origin of the product. */
  baseUrl: string;
}

/** `forms:write` includes drafts. No tool publishes: a person does that in the dashboard. */
const SCOPES = { scopes: ['forms:draft'], orScope: 'forms:write' } as const;
const READS = { ...SCOPES, readOnly: true, idempotent: true } as const;
const WRITES = { ...SCOPES, readOnly: false, idempotent: false } as const;

const NEXT =
  'Nothing is live. Call preview_draft to check it, and give previewUrl to a person, who publishes it in the dashboard.';

/** As list_drafts returns them, because list_forms needs another scope. */
const formId = z.string().meta({ description: 'Form id (frm_…); list_drafts returns them.' });
const etag = z.string().meta({ description: 'Entity tag of the draft; update_draft needs it.' });
/**
 * One tag, possibly without its quotes. `*` or several would overwrite what the agent hasn't read.
 */
const ETAG = /^(?:(?:W\/)?"[^",]+"|\d+(?:\.\d+)?)$/;
const version = z.int().meta({ description: 'Published version; 0: never published.' });
const previewUrl = z.string().meta({ description: 'Page of the dashboard that shows and publishes it.' });

/**
 * What a model has to know of a form. The rest is in `get_form_format`, and all of it is checked as
 * in the HTTP API.
 */
const fields = z
  .array(
    z.looseObject({
      name: z.string().meta({ description: 'Key of the value.' }),
      type: z.enum(FIELD_TYPES),
      label: z.string().optional(),
      required: z.boolean().optional(),
      help: z.string().optional(),
      options: z
        .array(z.looseObject({ value: z.string(), label: z.string().optional() }))
        .meta({ description: 'Of select, radio and checkboxes.' })
        .optional(),
      step: z.int().optional(),
      showIf: z
        .looseObject({})
        .meta({ description: 'Such as {"all": [{"field": "plan", "op": "eq", "value": "team"}]}.' })
        .optional(),
    }),
  )
  .meta({ description: 'Fields in order. get_form_format has all properties.' });
const settings = z
  .looseObject({})
  .meta({ description: 'Such as popup, theme, thankYou. get_form_format has all of them.' });
const texts = {
  description: z.string().meta({ description: 'For the team.' }).optional(),
  title: z.string().meta({ description: 'Heading for visitors.' }).optional(),
  intro: z.string().meta({ description: 'Text for visitors below the title.' }).optional(),
};
const name = z.string().meta({ description: 'Name for the team.' });

const SavedDraft = z.object({
  formId: z.string(),
  name: z.string(),
  version,
  etag,
  previewUrl,
  next: z.string(),
});

/** Tools that prepare forms. docs/reference/mcp.md#drafts-of-forms */
export function draftTools(deps: DraftToolsDeps): Tool[] {
  return [...readingTools(deps), ...savingTools(deps)];
}

const contentOf = (form: FormRecord): FormDefinition => definitionOf(form.draft?.definition ?? form);

function stateOf(form: FormRecord, baseUrl: string) {
  const { _id, version: published } = form;
  return {
    formId: _id,
    name: contentOf(form).name,
    version: published,
    etag: draftEtag(form),
    previewUrl: `${baseUrl}/forms/${_id}/build`,
  };
}

function readingTools({ forms, policyIssues, baseUrl }: DraftToolsDeps): Tool[] {
  return [
    tool({
      ...READS,
      name: 'list_drafts',
      title: 'List forms and drafts',
      description: 'Lists all forms, newest first, including those that were never published.',
      input: z.strictObject({ limit, cursor }),
      output: z.object({
        forms: z.array(SavedDraft.omit({ next: true }).extend({ hasDraft: z.boolean() })),
        nextCursor,
      }),
      async run(page, { actor }) {
        const filter = { accountId: actor.accountId, deletedAt: null };
        const { items, pagination } = await findPage(forms, filter, {
          prefix: 'frm',
          ...page,
          ...(actor.memberOf && { matches: (form: FormRecord) => maySeeForm(actor, form) }),
        });
        return {
          forms: items.map((form) => ({ ...stateOf(form, baseUrl), hasDraft: form.draft !== undefined })),
          nextCursor: pagination.nextCursor,
        };
      },
    }),
    tool({
      ...READS,
      name: 'get_draft',
      title: 'Get the draft of a form',
      description: 'Returns the draft of a form, or its published version if it has no draft.',
      input: z.strictObject({ formId }),
      output: SavedDraft.omit({ next: true }).extend({
        hasDraft: z.boolean(),
        form: z
          .record(z.string(), z.unknown())
          .meta({ description: 'name, description, title, intro, fields and settings.' }),
      }),
      async run(args, { actor }) {
        const form = await ownForm(forms, actor, args.formId);
        return {
          ...stateOf(form, baseUrl),
          hasDraft: form.draft !== undefined,
          form: { ...contentOf(form) },
        };
      },
    }),
    tool({
      ...READS,
      name: 'preview_draft',
      title: 'Preview the draft of a form',
      description:
        'Shows what visitors would see as text, and lists problems: contrast of colors, logic, references.',
      input: z.strictObject({ formId }),
      output: SavedDraft.omit({ next: true }).extend({
        preview: z.string().meta({ description: 'The form as text, step by step.' }),
        problems: z.array(z.object({ pointer: z.string(), message: z.string() })),
      }),
      async run(args, { actor }) {
        const form = await ownForm(forms, actor, args.formId);
        const content = contentOf(form);
        const problems = [
          ...definitionProblems(content),
          ...(await policyIssues(actor.accountId, content.settings)),
        ];
        return { ...stateOf(form, baseUrl), preview: renderForm(content), problems };
      },
    }),
    tool({
      ...READS,
      name: 'get_form_format',
      title: 'Get the format of a part of forms',
      description: 'Returns the JSON Schema of the entries of `fields`, or of a property of `settings`.',
      input: z.strictObject({ part: z.enum(FORMAT_PARTS) }),
      output: z.object({ part: z.string(), schema: z.record(z.string(), z.unknown()) }),
      run: ({ part }) => Promise.resolve({ part, schema: formatOf(part) }),
    }),
  ];
}

function savingTools({ forms, drafts, baseUrl }: DraftToolsDeps): Tool[] {
  /** Reads a form by the rules of the HTTP API. @throws AppError `VALIDATION_FAILED` */
  function readForm(input: unknown): FormIn {
    const reading = readInput(FormIn, input);
    if (!reading.ok) throw validationFailed(reading.issues);
    return reading.value;
  }

  async function saved(form: FormRecord, { audit }: ToolCall) {
    const state = stateOf(form, baseUrl);
    await audit('form.draft_saved', { id: form._id, name: state.name });
    return { ...state, next: NEXT };
  }

  return [
    tool({
      ...WRITES,
      name: 'create_draft',
      title: 'Create a form as a draft',
      description: 'Creates a form that nobody sees until a person publishes it.',
      input: z.strictObject({ name, ...texts, fields, settings: settings.optional() }),
      output: SavedDraft,
      async run(input, call) {
        const form = readForm(input);
        // The HTTP API leaves this to the dashboard, which shows it while somebody chooses the
        // colors.
        const issues = themeIssues(form.settings.theme);
        if (issues.length > 0) throw validationFailed(issues);
        const { accountId, by: id } = call.actor;
        return saved(await drafts.create({ accountId, id }, newId('frm'), form), call);
      },
    }),
    tool({
      ...WRITES,
      name: 'update_draft',
      title: 'Change the draft of a form',
      description:
        'Saves changes as the draft of a form; the published form stays as it is. Properties that you omit keep their value; `fields` and `settings` are replaced as a whole.',
      input: z.strictObject({
        formId,
        etag: z
          .string()
          .regex(ETAG, 'must be the etag that get_draft returned')
          .meta({ description: '`etag` of get_draft: refuses to overwrite changes of others.' }),
        name: name.optional(),
        ...texts,
        fields: z
          .array(z.looseObject({}))
          .meta({ description: 'All fields in order, as in create_draft.' })
          .optional(),
        settings: settings.optional(),
      }),
      output: SavedDraft,
      async run({ formId: id, etag: ifMatch, ...changes }, call) {
        const form = await ownForm(forms, call.actor, id);
        requireTag(ifMatch, draftEtag(form), form.version);
        const input = readForm({ ...contentOf(form), ...changes });
        const { accountId, by } = call.actor;
        // The changes are on top of what was read here.
        const target = { formId: id, ifMatch: draftEtag(form) };
        return saved(await drafts.replace({ accountId, id: by }, target, input), call);
      },
    }),
  ];
}
