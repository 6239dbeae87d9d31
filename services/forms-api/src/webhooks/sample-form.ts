import { newId } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Caller } from '@svcforms/identity';
import type { FormRecord } from '@svcforms/records';

export type SampleForm = Pick<FormRecord, '_id' | 'name' | 'title' | 'fields'>;

/**
 * The form of sample events: the newest published one of those whose events the webhook gets, or a
 * made-up one if there is none. `ids`: the only ones; absent for all forms of the account.
 */
export async function findSampleForm(
  forms: Pick<Collection<FormRecord>, 'find'>,
  { accountId }: Caller,
  ids: readonly string[] | undefined,
): Promise<SampleForm> {
  const [form] = await forms.find(
    {
      accountId,
      deletedAt: null,
      version: { $gt: 0 },
      ...(ids === undefined ? {} : { _id: { $in: [...ids] } }),
    },
    { sort: ['-createdAt', '-_id'], limit: 1 },
  );
  return form ?? { _id: newId('frm'), name: 'Sample form', fields: [{ name: 'email', type: 'email' }] };
}
