import type { FormOut } from '@svcforms/contracts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
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
