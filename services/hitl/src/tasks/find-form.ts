import { AppError, maySeeForm } from '@svcforms/contracts';
import type { Collection } from '@svcforms/document-store';
import { isPublic, type FormRecord } from '@svcforms/records';
import type { Actor } from './actor.ts';

/** Finds a form of the actor's account. @throws AppError `NOT_FOUND` with the message */
export type FindForm = (
  actor: Pick<Actor, 'accountId' | 'memberOf'>,
  formId: string,
  message?: string,
) => Promise<FormRecord>;

export function createFindForm(forms: Pick<Collection<FormRecord>, 'findOne'>): FindForm {
  return async function findForm(actor, formId, message = `There is no published form ${formId}`) {
    const form = await forms.findOne({ _id: formId, accountId: actor.accountId, deletedAt: null });
    if (!isPublic(form) || !maySeeForm(actor, form)) throw new AppError('NOT_FOUND', message);
    return form;
  };
}
