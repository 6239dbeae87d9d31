import type { FormOut } from '@svcforms/contracts';
import type { FormRecord } from '@svcforms/records';

/** The form as the API returns it. */
export function formOut({ _id, ...form }: FormRecord): FormOut {
  return {
    id: _id,
    accountId: form.accountId,
    name: form.name,
    ...(form.description === undefined ? {} : { description: form.description }),
    ...(form.title === undefined ? {} : { title: form.title }),
    ...(form.intro === undefined ? {} : { intro: form.intro }),
    fields: form.fields,
    settings: form.settings,
    createdAt: form.createdAt,
    updatedAt: form.updatedAt,
    version: form.version,
    ...(form.scriptLastSeen && { scriptLastSeen: form.scriptLastSeen }),
  };
}
