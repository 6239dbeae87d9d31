import type { FormOut } from '@svcforms/contracts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { formQuery } from '../../../api/forms.ts';

/** The saved form of the current screen. */
export function useSavedForm(): FormOut {
  const { formId } = useParams({ from: '/shell/forms/$formId' });
  return useSuspenseQuery(formQuery(formId)).data;
}
