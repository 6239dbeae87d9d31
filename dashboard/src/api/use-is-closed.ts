import type { FormOut } from '@svcforms/contracts';
import { useQuery } from '@tanstack/react-query';
import { isClosedNow, isClosedQuery } from './forms.ts';

/** Whether a form takes no submissions: by its switch, its date, or because it is full. */
export function useIsClosed({ id, version, settings: { closing } }: FormOut): boolean {
  const mayBeFull = version > 0 && closing?.maxSubmissions !== undefined;
  // Only the service knows the number of accepted submissions.
  const isFull = useQuery({ ...isClosedQuery(id), enabled: mayBeFull }).data;
  return isClosedNow(closing) || (mayBeFull && isFull === true);
}
