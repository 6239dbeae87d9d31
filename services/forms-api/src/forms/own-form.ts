import { AppError } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { Caller } from '@svcforms/identity';
import type { FormRecord } from '@svcforms/records';

/** Returns a form of the caller's account. @throws AppError `NOT_FOUND`, also for a form of another account */
export async function ownForm(
  forms: Collection<FormRecord>,
  caller: Caller,
  formId: string,
): Promise<FormRecord> {
  const form = await forms.findOne({ _id: formId, accountId: caller.accountId, deletedAt: null });
  if (!form) throw new AppError('NOT_FOUND', 'There is no such form');
  return form;
}
