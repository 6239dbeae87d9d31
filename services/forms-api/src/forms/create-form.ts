import { formDefinition, validationFailed, type FormDefinition, type FormIn } from '@svcforms/contracts';
import type { Reply, RouteRequest } from '@svcforms/http';
import { isoTime } from '@svcforms/primitives';
import { insertOnce, type FormRecord } from '@svcforms/records';
import { formOut } from './form-out.ts';
import type { FormsDeps } from './forms.ts';

/**
 * A form to create. `copied`: the form that it is a copy of; users in its settings may be deleted.
 */
export interface NewForm {
  body: FormIn;
  copied?: FormDefinition;
}

/** Stores a new form in the caller's account. @throws AppError `VALIDATION_FAILED` */
export async function createForm(
  {
    forms,
    recipients,
    policyIssues,
    keepGroups,
    now,
  }: Pick<FormsDeps, 'forms' | 'recipients' | 'policyIssues' | 'keepGroups' | 'now'>,
  { body, copied, caller, newId, note, audit }: Omit<RouteRequest, 'body'> & NewForm,
): Promise<Reply> {
  const { definition, issues } = formDefinition(body, copied);
  const { accountId } = caller;
  const { settings } = definition;
  const createdAt = isoTime(now());
  const form: FormRecord = {
    _id: newId('frm'),
    accountId,
    ...definition,
    ...(settings.closing?.maxSubmissions !== undefined && { limitedSince: createdAt }),
    verifiesRecipients: true,
    createdAt,
    updatedAt: createdAt,
    version: 1,
    publishedBy: caller.id,
  };
  const stored = await keepGroups({ accountId, settings }, async () => {
    issues.push(...(await policyIssues(accountId, settings, copied?.settings)));
    if (issues.length > 0) throw validationFailed(issues);
    return insertOnce(forms, form);
  });
  audit({ target: { id: stored._id, name: stored.name } });
  await recipients.requestForAdded(stored);
  note({ event: 'form.created', formId: form._id });
  return {
    data: formOut(stored),
    headers: { Location: `/api/forms/${form._id}`, ETag: `"${stored.version}"` },
  };
}
