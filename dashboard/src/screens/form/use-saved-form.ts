import type { FormOut } from '@svcforms/contracts';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { formQuery } from '../../api/forms.ts';

/** The form whose screen is shown, as it was last read. */
export function useSavedForm(): FormOut {
  const { formId } = useParams({ from: '/shell/forms/$formId' });
  return useSuspenseQuery(formQuery(formId)).data;
}
