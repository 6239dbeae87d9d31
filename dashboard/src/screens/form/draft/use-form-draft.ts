import {
  TRIGGER_PARAMETERS,
  type FormDefinition,
  type FormIn,
  type FormOut,
  type Popup,
} from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError, isMissing, isTransient } from '../../../api/api-error.ts';
import { draftQuery, etagOf, publishDraft, readDraft, saveDraft } from '../../../api/forms.ts';
import { toastSuccess } from '../../../components/toast.tsx';
import { formTexts } from '../../../texts/form.ts';
import { publishTexts } from '../../../texts/publish.ts';
import { changesBetween } from './changes.ts';
import { draftErrors, namePart } from './setting-names.ts';
import { useFormCache } from '../layout/use-form-cache.ts';
import { useSavedDraft } from '../layout/use-saved-form.ts';
import { useDeletedForm, type DeletedForm } from './use-deleted-form.ts';

export interface FormDraft {
  formId: string;
  form: FormDefinition;
  change: (form: FormDefinition) => void;
  isDirty: boolean;
  /** How many times a version that was saved elsewhere has replaced the draft on this screen. */
  replacements: number;
  /** The errors of the last save, by path: `fields.0.name`. */
  errors: Readonly<Record<string, string>>;
  clearErrors: () => void;
  isSaving: boolean;
  save: () => void;
  /** Whether the form has changes that visitors don't see. */
  isPublishable: boolean;
  isPublishing: boolean;
  /** Saves what is unsaved first. */
  publish: () => void;
  /** Whether the form was saved elsewhere since the draft started. */
  hasConflict: boolean;
  dismissConflict: () => void;
  loadTheirs: () => void;
  saveMine: () => void;
  deleted: DeletedForm;
}

interface State {
  /** The saved form that the draft started from. */
  base: FormOut;
  form: FormDefinition;
  replacements: number;
}

/**
 * The draft of a form on a screen, with what isn't saved yet. A failed save keeps the user's input.
 */
export function useFormDraft(): FormDraft {
  const saved = useSavedDraft();
  const cache = useFormCache();
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>(() => ({ ...startFrom(saved), replacements: 0 }));
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [hasConflict, setConflict] = useState(false);
  const deleted = useDeletedForm(saved.id, {
    body: () => bodyOf(state.form, undefined),
    nameOf: (parts) => namePart(state.form, parts),
    onError: (error) => setErrors(draftErrors(error, state.form)),
  });
  const isDirty = !isSame(state.form, definitionOf(state.base));
  // A version that was saved elsewhere replaces the draft only if the draft has no changes.
  const replaceWith = (theirs: FormOut) =>
    setState(({ replacements }) => ({ ...startFrom(theirs), replacements: replacements + 1 }));
  if (!isDirty && etagOf(saved) !== etagOf(state.base)) replaceWith(saved);

  const put = useSaving(saved.id);

  const save = useMutation({
    async mutationFn({ form, etag }: { form: FormDefinition; etag?: string }) {
      try {
        return await put(form, state.base, etag);
      } catch (error) {
        if (!isMissing(error)) throw error;
        deleted.ask();
        return null;
      }
    },
    meta: { nameOf: (parts) => namePart(state.form, parts) },
    onSuccess(result, { form }) {
      if (result === null) return;
      setErrors({});
      setConflict(result === undefined);
      if (!result) return;
      // Keep changes that the user made during the request.
      setState((now) => ({
        ...now,
        base: result,
        form: isSame(now.form, form) ? definitionOf(result) : now.form,
      }));
      if (!publish.isPending) toastSuccess(formTexts.saved);
      return cache.setDraft(result);
    },
    onError: (error, { form }) => setErrors(draftErrors(error, form)),
  });
  const publish = useMutation({
    async mutationFn() {
      let current: FormOut | undefined | null = state.base;
      if (isDirty) current = await save.mutateAsync({ form: state.form, etag: etagOf(current) });
      if (!current) return undefined;
      try {
        return await publishDraft(saved.id, etagOf(current));
      } catch (error) {
        if (isMissing(error)) deleted.ask();
        else if (isConflict(error)) {
          const stored = await readDraft(saved.id);
          // An earlier attempt without a response has published it.
          if (!stored.draft && isStoredAs(stored, state.form)) return stored;
          setConflict(true);
        } else throw error;
        return undefined;
      }
    },
    // An error of saving is shown again in its own toast.
    meta: { nameOf: (parts) => namePart(state.form, parts) },
    onSuccess(published) {
      if (!published) return;
      setErrors({});
      setState((now) => ({
        ...now,
        base: published,
        form: isSame(now.form, definitionOf(now.base)) ? definitionOf(published) : now.form,
      }));
      toastSuccess(publishTexts.published(published.version));
      return cache.setPublished(published);
    },
    onError: (error) => setErrors(draftErrors(error, state.form)),
  });
  const reload = useMutation({
    mutationFn: () => queryClient.fetchQuery({ ...draftQuery(saved.id), staleTime: 0 }),
    onSuccess(theirs) {
      replaceWith(theirs);
      setErrors({});
      setConflict(false);
    },
  });

  return {
    formId: saved.id,
    form: state.form,
    change: (form) => setState((now) => ({ ...now, form })),
    isDirty,
    replacements: state.replacements,
    errors,
    clearErrors: () => setErrors({}),
    isSaving: save.isPending,
    save: () => save.mutate({ form: state.form, etag: etagOf(state.base) }),
    isPublishable: isDirty || state.base.draft !== undefined,
    isPublishing: publish.isPending,
    publish: () => publish.mutate(),
    hasConflict,
    dismissConflict: () => setConflict(false),
    loadTheirs: () => reload.mutate(),
    saveMine: () => save.mutate({ form: state.form }),
    deleted,
  };
}

/**
 * Returns a function that saves a draft. After a conflict, it saves over what this screen itself
 * has stored, without receiving the response, and returns undefined if somebody else has changed
 * the form.
 */
function useSaving(formId: string) {
  // What attempts without a response may have stored.
  const unanswered = useRef<readonly FormDefinition[]>([]);

  async function put(form: FormDefinition, base: FormOut, etag?: string): Promise<FormOut | undefined> {
    try {
      const stored = await saveDraft(formId, bodyOf(form, base.settings.popup), etag);
      unanswered.current = [];
      return stored;
    } catch (error) {
      if (isConflict(error)) return undefined;
      if (isTransient(error)) unanswered.current = [...unanswered.current, form];
      throw error;
    }
  }

  return async (form: FormDefinition, base: FormOut, etag?: string): Promise<FormOut | undefined> => {
    const saved = await put(form, base, etag);
    if (saved) return saved;
    const stored = await readDraft(formId);
    if (isStoredAs(stored, form)) {
      unanswered.current = [];
      return stored;
    }
    // A publication changes no more than the version.
    const isOwn = [base, ...unanswered.current].some((own) => isStoredAs(stored, own));
    if (isOwn) return put(form, stored, etagOf(stored));
    // What others store from now on is theirs, even if it's the same.
    unanswered.current = [];
    return undefined;
  };
}

function startFrom(base: FormOut): Pick<State, 'base' | 'form'> {
  return { base, form: definitionOf(base) };
}

function definitionOf({ name, description, title, intro, fields, settings }: FormOut): FormDefinition {
  return {
    name,
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(intro !== undefined && { intro }),
    fields,
    settings,
  };
}

/** The order of keys may differ. */
const isStoredAs = (stored: FormOut, form: FormDefinition): boolean =>
  changesBetween(form, definitionOf(stored)).length === 0;

const isConflict = (error: unknown): boolean => isApiError(error) && error.code === 'CONFLICT';

function isSame(one: FormDefinition, other: FormDefinition): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Sends null for removed trigger parameters, because the API keeps absent ones. */
function bodyOf(form: FormDefinition, saved: Popup | undefined): FormIn {
  const { popup, ...settings } = form.settings;
  const removed = TRIGGER_PARAMETERS.filter(
    (key) => saved?.[key] !== undefined && popup?.[key] === undefined,
  );
  return {
    ...form,
    settings: {
      ...settings,
      ...(popup && { popup: { ...popup, ...Object.fromEntries(removed.map((key) => [key, null])) } }),
    },
  };
}
