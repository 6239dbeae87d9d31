import type { AuditChanges } from '@svcforms/contracts';
import { changesBetween } from '@svcforms/http';
import type { FormRecord } from '@svcforms/records';

/**
 * Changes for the audit log: the changed parts of the definition, with the values of short ones
 * that aren't confidential.
 */
export function formChanges(before: FormRecord, after: FormRecord): AuditChanges {
  const settings = (form: FormRecord) =>
    Object.fromEntries(Object.entries(form.settings).map(([name, value]) => [`settings.${name}`, value]));
  const [old, current] = [settings(before), settings(after)];
  return {
    ...changesBetween(before, after, {
      names: ['name', 'version'],
      hidden: ['description', 'title', 'intro', 'fields'],
    }),
    ...changesBetween(old, current, { names: [], hidden: Object.keys({ ...old, ...current }) }),
  };
}
