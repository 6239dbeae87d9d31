import { move } from '@dnd-kit/helpers';
import { DragDropProvider } from '@dnd-kit/react';
import { Stack, Text, VisuallyHidden } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { useEffect, useRef, useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { DragStyleNonce } from './drag-style-nonce.tsx';
import { FieldRow, type RowActions } from './field-row.tsx';
import { labelOf } from '../../../components/field-labels.ts';

const texts = buildTexts.fields;

/**
 * The fields in order. Users reorder them by mouse, keyboard or buttons. `keys` identify the
 * fields.
 */
export function FieldList({
  fields,
  keys,
  selected,
  hasError,
  onMove,
  ...actions
}: {
  fields: readonly FormField[];
  keys: readonly number[];
  selected: number | null;
  hasError: (index: number) => boolean;
  /** Receives the keys in the new order. */
  onMove: (keys: number[]) => void;
} & Omit<RowActions, 'onStep'>) {
  const [announcement, announce] = useState('');
  const step = (from: number, to: number) => {
    const field = fields[from];
    const key = keys[from];
    if (!field || key === undefined || to < 0 || to >= keys.length) return;
    onMove(keys.filter((other) => other !== key).toSpliced(to, 0, key));
    announce(texts.moved(labelOf(field), to + 1, fields.length));
  };
  const rowActions = useStableActions({ ...actions, onStep: step });
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const row = list.current?.querySelector('[aria-current]')?.closest('li');
    if (list.current && row) showIn(list.current, row);
  }, [selected]);
  if (fields.length === 0) return <Text>{texts.empty}</Text>;
  return (
    <>
      <DragDropProvider
        onDragEnd={(event) => {
          if (!event.canceled) onMove(move([...keys], event));
        }}
      >
        <DragStyleNonce />
        <Stack ref={list} gap={4} component="ol" className="field-list" aria-label={texts.title}>
          {fields.map((field, index) => {
            const key = keys[index] ?? index;
            return (
              <FieldRow
                key={key}
                id={key}
                index={index}
                isLast={index === fields.length - 1}
                label={labelOf(field)}
                facts={factsOf(field, hasError(index))}
                isSelected={selected === key}
                hasError={hasError(index)}
                actions={rowActions}
              />
            );
          })}
        </Stack>
      </DragDropProvider>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  );
}

function factsOf({ type, required, step, showIf }: FormField, isInvalid: boolean): string {
  const facts = [
    texts.types[type],
    required && texts.required,
    step && texts.step(step),
    showIf && texts.conditional,
    isInvalid && texts.invalid,
  ];
  return facts.filter(Boolean).join(' · ');
}

/** Functions that call the newest ones, and stay the same, so that rows don't render again. */
function useStableActions(actions: RowActions): RowActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  const [stable] = useState<RowActions>(() => ({
    onSelect: (key) => latest.current.onSelect(key),
    onStep: (index, to) => latest.current.onStep(index, to),
    onDuplicate: (index) => latest.current.onDuplicate(index),
    onRemove: (index, button) => latest.current.onRemove(index, button),
  }));
  return stable;
}

/** Scrolls the list, but not the page, so that a row of it is visible. */
function showIn(list: Element, row: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
