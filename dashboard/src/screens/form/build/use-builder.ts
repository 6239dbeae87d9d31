import { useHotkeys } from '@mantine/hooks';
import type { FieldType, FormDefinition, FormField } from '@svcforms/contracts';
import { useEffect, useRef, useState } from 'react';
import { labelOf } from '../../../components/field-labels.ts';
import { hideUndoToast, toastUndo } from '../../../components/toast.tsx';
import { buildTexts } from '../../../texts/build.ts';
import type { FormDraft } from '../draft/use-form-draft.ts';
import type { ShowPart, ShownPart } from './build-preview.tsx';
import { copyOf, lastStep, newField, removeField } from '../draft/fields.ts';
import type { NewValues } from '../draft/logic-edits.ts';
import {
  calledNames,
  withCopiedTexts,
  withField,
  withFields,
  withFreeNames,
  type KeptNames,
} from '../draft/translations.ts';
import { useBuildHistory } from './use-build-history.ts';

const texts = buildTexts.fields;

/**
 * The state of the builder around the draft: which field is selected, what the preview shows, and
 * the steps back. `keys` identify the fields, in their order.
 */
export function useBuilder(draft: FormDraft, savedVersion: number) {
  const { form, errors, isDirty, replacements } = draft;
  const { fields } = form;
  const [{ shown, ending }, setShown] = useState<{ shown: ShownPart; ending?: number | undefined }>({
    shown: 'form',
  });
  const show: ShowPart = (part, index) => setShown({ shown: part, ending: index });
  const [keys, setKeys] = useState<readonly number[]>(() => fields.map((_, index) => index));
  const [selected, setSelected] = useState<number | null>(keys[0] ?? null);
  const [kept, setKept] = useState<KeptNames>(new Map());
  // A version that was saved elsewhere has other fields, which have no ids to match the keys by.
  if (keys.length !== fields.length) {
    setKeys(fields.map((_, index) => index));
    setKept(new Map());
  }

  const invalidKey = keys[firstInvalid(errors)];
  const [handledErrors, setHandledErrors] = useState(errors);
  if (handledErrors !== errors) {
    setHandledErrors(errors);
    if (invalidKey !== undefined) setSelected(invalidKey);
  }

  const history = useBuildHistory({ form, keys, selected }, (state) => {
    hideUndoToast();
    draft.clearErrors();
    draft.change(state.form);
    setKeys(state.keys);
    setKept(new Map());
    setSelected(state.selected);
  });
  const { undo, redo, forget } = history;
  useHistoryKeys(undo, redo);
  const latest = useRef({ undo, forget, isDirty });
  useEffect(() => {
    latest.current = { undo, forget, isDirty };
  });
  useEffect(() => {
    // The undo history doesn't apply to a version that replaced the draft.
    if (latest.current.isDirty) return;
    hideUndoToast();
    latest.current.forget();
  }, [savedVersion, replacements]);
  useEffect(() => hideUndoToast, []);

  const change = (changed: FormDefinition) => {
    history.record('edit');
    hideUndoToast();
    draft.change(changed);
  };
  /** Errors refer to fields by index, so reordering invalidates them. */
  const rearrange = (changed: FormField[], order: readonly number[], message?: string, from = form) => {
    history.record('arrangement');
    draft.clearErrors();
    setKeys(order);
    const left = new Map([...kept].filter(([key]) => order.includes(key)));
    const named = withFields(from, changed, undefined, calledNames(changed, order, left));
    const arranged = withFreeNames(named, { keys: order, kept: left });
    setKept(arranged.kept);
    draft.change(arranged.form);
    // The toast stays while the screen renders again.
    if (message === undefined) hideUndoToast();
    else toastUndo(message, () => latest.current.undo());
  };
  const select = (key: number) => {
    setSelected(key);
    show('form');
  };
  /** Adds a field at an index, and selects it. */
  const insert = (field: FormField, index: number, from = form) => {
    const key = Math.max(-1, ...keys) + 1;
    rearrange(fields.toSpliced(index, 0, field), keys.toSpliced(index, 0, key), undefined, from);
    select(key);
  };
  return {
    keys,
    selected,
    shown,
    ending,
    history,
    select,
    show,
    change,
    setField: (index: number, changed: FormField, values?: NewValues) => {
      const edited = withField(form, index, changed, { keys, kept, values });
      setKept(edited.kept);
      change(edited.form);
    },
    /** Adds a field below the selected one, on its step; at the end if none is selected. */
    add: (type: FieldType) => {
      const index = (selected === null ? 0 : keys.indexOf(selected) + 1) || fields.length;
      insert(newField(type, fields, lastStep(fields.slice(0, index))), index);
    },
    /** Adds a copy of a field below it. */
    duplicate: (index: number) => {
      const field = fields[index];
      if (!field) return;
      const copy = copyOf(field, fields);
      insert(copy, index + 1, withCopiedTexts(form, field.name, copy.name));
    },
    /** Receives the keys in the new order. */
    move: (order: readonly number[]) => {
      // A drag may end where it began.
      if (order.every((key, n) => key === keys[n])) return;
      rearrange(
        order.flatMap((key) => fields[keys.indexOf(key)] ?? []),
        order,
        texts.orderChanged,
      );
    },
    remove: (index: number) => {
      const removed = fields[index];
      rearrange(
        removeField(fields, index),
        keys.filter((_, other) => other !== index),
        removed && texts.removed(labelOf(removed)),
      );
    },
  };
}

/** The index of the first field with an error; -1 without one. */
function firstInvalid(errors: FormDraft['errors']): number {
  const indexes = Object.keys(errors).map((path) => /^fields\.(\d+)/.exec(path)?.[1]);
  return Number(indexes.find((index) => index !== undefined) ?? -1);
}

function useHistoryKeys(undo: () => void, redo: () => void): void {
  useHotkeys([
    ['mod+Z', undo],
    ['mod+shift+Z', redo],
    ['mod+Y', redo],
  ]);
}
