import type { EventType } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { allFormsQuery, formQuery } from '../../../api/forms.ts';
import type { PathChoices } from './condition-input.tsx';
import { eventPaths, fieldPaths } from './filter-paths.ts';

/**
 * The values that conditions can compare: the fields of the form or forms, and those of the events.
 */
export function usePathChoices({
  formId,
  events,
  forms,
}: {
  formId: string | undefined;
  events: readonly EventType[];
  forms: readonly string[] | null;
}): PathChoices {
  const one = useQuery({ ...formQuery(formId ?? ''), enabled: formId !== undefined });
  const all = useQuery({ ...allFormsQuery, enabled: formId === undefined });
  const known =
    formId === undefined
      ? (all.data ?? []).filter(({ id }) => forms === null || forms.includes(id))
      : one.data
        ? [one.data]
        : [];
  const hasValues = events.some((type) => type === 'form.submission.new' || type === 'submission.created');
  return { fields: hasValues ? fieldPaths(known) : [], event: eventPaths(events) };
}
