import {
  TRIGGER_PARAMETERS,
  type FormDefinition,
  type FormIn,
  type FormOut,
  type Popup,
} from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, isApiError } from '../../api/api-error.ts';
import { formKeys, formQuery, saveForm } from '../../api/forms.ts';
import { toastDone } from '../../components/toast.tsx';
import { formTexts } from '../../texts/form.ts';
import { useSavedForm } from './use-saved-form.ts';

export interface FormDraft {
  formId: string;
  form: FormDefinition;
  change: (form: FormDefinition) => void;
  isDirty: boolean;
  /** What the last save refused, by path: `fields.0.name`. */
  errors: Readonly<Record<string, string>>;
  clearErrors: () => void;
  isSaving: boolean;
  save: () => void;
  /** Somebody else has saved since this draft was begun. */
  isStale: boolean;
  decideLater: () => void;
  takeTheirs: () => void;
  saveMine: () => void;
}

interface State {
  /** As it was saved when the draft was begun. */
  base: FormOut;
  form: FormDefinition;
}

/** The form as it is being changed on a screen, and its way back to the product. Nothing typed is lost on a failed save. */
export function useFormDraft(): FormDraft {
  const saved = useSavedForm();
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>(() => begin(saved));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [isStale, setStale] = useState(false);
  const isDirty = !isSame(state.form, definitionOf(state.base));
  // What somebody else saved is shown as long as nothing of one's own would be lost.
  if (!isDirty && saved.version > state.base.version) setState(begin(saved));

  const save = useMutation({
    async mutationFn({ form, version }: { form: FormDefinition; version?: number }) {
      try {
        return await saveForm(saved.id, bodyOf(form, state.base.settings.popup), version);
      } catch (error) {
        if (isApiError(error) && error.code === 'CONFLICT') return undefined;
        throw error;
      }
    },
    onSuccess(result, { form }) {
      setErrors({});
      setStale(result === undefined);
      if (!result) return;
      // What was typed while it was on its way stays typed.
      setState((now) => ({ base: result, form: isSame(now.form, form) ? definitionOf(result) : now.form }));
      queryClient.setQueryData(formKeys.form(saved.id), result);
      toastDone(formTexts.saved);
      return queryClient.invalidateQueries({ queryKey: ['forms', 'list'] });
    },
    onError: (error) => setErrors(formErrors(error)),
  });
  const reload = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...formQuery(saved.id), staleTime: 0 }),
    onSuccess(theirs) {
      setState(begin(theirs));
      setErrors({});
      setStale(false);
    },
  });

  return {
    formId: saved.id,
    form: state.form,
    change: (form) => setState(({ base }) => ({ base, form })),
    isDirty,
    errors,
    clearErrors: () => setErrors({}),
    isSaving: save.isPending,
    save: () => save.mutate({ form: state.form, version: state.base.version }),
    isStale,
    decideLater: () => setStale(false),
    takeTheirs: () => reload.mutate(),
    saveMine: () => save.mutate({ form: state.form }),
  };
}

function begin(base: FormOut): State {
  return { base, form: definitionOf(base) };
}

function definitionOf({ name, description, fields, settings }: FormOut): FormDefinition {
  return { name, ...(description !== undefined && { description }), fields, settings };
}

function isSame(one: FormDefinition, other: FormDefinition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Says of each trigger parameter that was taken away that it is gone: absent ones would stay as they are saved. */
function bodyOf(form: FormDefinition, saved: Popup | undefined): FormIn {
  const { popup, ...settings } = form.settings;
  const gone = TRIGGER_PARAMETERS.filter((key) => saved?.[key] !== undefined && popup?.[key] === undefined);
  return {
    ...form,
    settings: {
      ...settings,
      ...(popup && { popup: { ...popup, ...Object.fromEntries(gone.map((key) => [key, null])) } }),
    },
  };
}
