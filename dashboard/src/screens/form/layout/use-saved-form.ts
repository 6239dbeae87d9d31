import type { FormOut } from '@svcforms/contracts';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isMissing } from '../../../api/api-error.ts';
import { draftQuery, formQuery } from '../../../api/forms.ts';

/** The published form of the current screen; its draft if it was never published. */
export function useSavedForm(): FormOut {
  const { formId } = useParams({ from: '/shell/forms/$formId' });
  return useSuspenseQuery(formQuery(formId)).data;
}

/** The draft of the form of the current screen; the published form if there is none. */
export function useSavedDraft(): FormOut {
  const { formId } = useParams({ from: '/shell/forms/$formId' });
  return useSuspenseQuery(draftQuery(formId)).data;
}

/**
 * Whether the form of the current screen was deleted since it was loaded. Any request that finds
 * nothing may mean that, so the form is loaded again.
 */
export function useIsFormDeleted(): boolean {
  const { formId } = useParams({ from: '/shell/forms/$formId' });
  const { error } = useQuery(formQuery(formId));
  const queryClient = useQueryClient();
  useEffect(() => {
    const { queryKey } = formQuery(formId);
    return queryClient.getQueryCache().subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'error') return;
      if (!isMissing(event.action.error) || event.query === queryClient.getQueryCache().find({ queryKey }))
        return;
      void queryClient.invalidateQueries({ queryKey, exact: true });
    });
  }, [queryClient, formId]);
  return isMissing(error);
}
