import type { FormOut } from '@svcforms/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { formKeys } from '../../../api/forms.ts';

/** Functions that keep what is cached of a form in step with the responses of the API. */
export function useFormCache() {
  const queryClient = useQueryClient();
  return {
    /** After the draft was saved. */
    async setDraft(draft: FormOut): Promise<void> {
      queryClient.setQueryData(formKeys.draft(draft.id), draft);
      queryClient.setQueryData(formKeys.form(draft.id), (published: FormOut | undefined) =>
        published && published.version > 0 && draft.draft ? { ...published, draft: draft.draft } : draft,
      );
      await queryClient.invalidateQueries({ queryKey: formKeys.lists });
    },
    /** After a publication that left no draft. */
    async setPublished(form: FormOut): Promise<void> {
      queryClient.setQueryData(formKeys.draft(form.id), form);
      queryClient.setQueryData(formKeys.form(form.id), form);
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: formKeys.lists }),
        queryClient.invalidateQueries({ queryKey: formKeys.versions(form.id) }),
        queryClient.invalidateQueries({ queryKey: formKeys.isFull(form.id) }),
      ]);
    },
    /** After anything else. */
    reload: (formId: string): Promise<void> =>
      queryClient.invalidateQueries({ queryKey: formKeys.form(formId) }),
  };
}
