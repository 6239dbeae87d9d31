import type { FormIn, FormOut } from '@svcforms/contracts';
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { isMissing } from '../../../api/api-error.ts';
import { createDraft } from '../../../api/form-copies.ts';
import { draftQuery, formKeys, formQuery } from '../../../api/forms.ts';
import { toastSuccess } from '../../../components/toast.tsx';
import { deletedTexts } from '../../../texts/deleted-form.ts';

export interface DeletedForm {
  /** Whether the user has to choose what happens to what is on the screen. */
  isAsking: boolean;
  /** A request has found that the form doesn't exist. */
  ask: () => void;
  decideLater: () => void;
  leave: () => void;
  isSaving: boolean;
  saveAsNew: () => void;
}

/**
 * What happens to the draft on the screen after somebody has deleted its form.
 * @param body the draft as the API takes it
 * @param nameOf what users call the value at a path
 */
export function useDeletedForm(
  formId: string,
  {
    body,
    nameOf,
    onError,
  }: { body: () => FormIn; nameOf: (parts: readonly string[]) => string; onError: (error: Error) => void },
): DeletedForm {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [state, setState] = useState<'unknown' | 'asking' | 'later'>('unknown');
  // The draft is loaded again at times, so that nobody keeps editing a deleted form.
  const { error } = useQuery(draftQuery(formId));
  if (state === 'unknown' && isMissing(error)) setState('asking');

  const isLeaving = useRef(false);
  // Not before the screen has unmounted: until then, it would load the deleted form again.
  useEffect(
    () => () => {
      if (isLeaving.current) forget(queryClient, formId);
    },
    [queryClient, formId],
  );
  const copy = useMutation({
    mutationFn: () => createDraft(body()),
    meta: { nameOf },
    async onSuccess({ id }: FormOut) {
      toastSuccess(deletedTexts.saved);
      isLeaving.current = true;
      await navigate({ to: '/forms/$formId/build', params: { formId: id }, ignoreBlocker: true });
    },
    onError(failure) {
      // The errors are at the inputs behind the dialog.
      setState('later');
      onError(failure);
    },
  });
  return {
    isAsking: state === 'asking',
    ask: () => setState('asking'),
    decideLater: () => setState('later'),
    leave() {
      isLeaving.current = true;
      void navigate({ to: '/forms', ignoreBlocker: true });
    },
    isSaving: copy.isPending,
    saveAsNew: () => copy.mutate(),
  };
}

/** Other screens must request the form again to learn that it was deleted. */
function forget(queryClient: QueryClient, formId: string): void {
  queryClient.removeQueries({ queryKey: formQuery(formId).queryKey });
  queryClient.removeQueries({ queryKey: draftQuery(formId).queryKey });
  void queryClient.invalidateQueries({ queryKey: formKeys.lists });
}
