import { newId } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Caller } from '@svcforms/identity';
import { ownForm, type FormRecord } from '@svcforms/records';
import { shownDefinition } from '../forms/form-out.ts';

export type SampleForm = Pick<FormRecord, '_id' | 'name' | 'title' | 'fields'>;

/** The form as its events have it. Before it is published, they have the fields of its draft. */
export function sampleFormOf(form: FormRecord): SampleForm {
  const { name, title, fields } = shownDefinition(form);
  return { _id: form._id, name, ...(title !== undefined && { title }), fields };
}

/**
 * The form of sample events: `formId`, or without one the newest published form of the account, or
 * a made-up one if there is none. `listed`: the only forms of the account whose events the webhook
 * gets.
 * @throws AppError `NOT_FOUND`
 */
export async function findSampleForm(
  forms: Pick<Collection<FormRecord>, 'find' | 'findOne'>,
  caller: Caller,
  { formId, listed }: { formId?: string | undefined; listed?: readonly string[] | undefined },
): Promise<SampleForm> {
  if (formId !== undefined) return sampleFormOf(await ownForm(forms, caller, formId));
  const [form] = await newestForms(forms, { accountId: caller.accountId, listed, limit: 1 });
  return form ?? { _id: newId('frm'), name: 'Sample form', fields: [{ name: 'email', type: 'email' }] };
}

/**
 * The newest published forms of the account, or of the list. Those that were never published have
 * no events.
 */
export const newestForms = (
  forms: Pick<Collection<FormRecord>, 'find'>,
  { accountId, listed, limit }: { accountId: string; listed: readonly string[] | undefined; limit: number },
): Promise<FormRecord[]> =>
  forms.find(
    {
      accountId,
      deletedAt: null,
      version: { $gt: 0 },
      ...(listed === undefined ? {} : { _id: { $in: [...listed] } }),
    },
    { sort: ['-createdAt', '-_id'], limit },
  );
