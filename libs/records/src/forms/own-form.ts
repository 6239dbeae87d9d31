import { AppError, maySeeForm, type FormMember } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import type { FormRecord } from '../collections/form.ts';

/**
 * Returns a form that the caller may see. @throws AppError `NOT_FOUND`, including for a form of
 * another account
 */
export async function ownForm(
  forms: Pick<Collection<FormRecord>, 'findOne'>,
  caller: FormMember & { accountId: string },
  formId: string,
): Promise<FormRecord> {
  const form = await forms.findOne({ _id: formId, accountId: caller.accountId, deletedAt: null });
  if (!form || !maySeeForm(caller, form)) throw new AppError('NOT_FOUND', 'There is no such form');
  return form;
}
