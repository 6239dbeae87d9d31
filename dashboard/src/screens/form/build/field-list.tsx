import { move } from '@dnd-kit/helpers';
import { DragDropProvider } from '@dnd-kit/react';
import { Stack, Text, VisuallyHidden } from '@mantine/core';
import type { FormField } from '@svcforms/contracts';
import { useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { DragStyleNonce } from './drag-style-nonce.tsx';
import { FieldRow } from './field-row.tsx';
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
  onSelect,
  onMove,
  onRemove,
}: {
  fields: readonly FormField[];
  keys: readonly number[];
  selected: number | null;
  hasError: (index: number) => boolean;
  onSelect: (key: number) => void;
  /** Receives the keys in the new order. */
  onMove: (keys: number[]) => void;
  onRemove: (index: number) => void;
}) {
  const [announcement, announce] = useState('');
  const step = (from: number, to: number) => {
    const field = fields[from];
    const key = keys[from];
    if (!field || key === undefined || to < 0 || to >= keys.length) return;
    onMove(keys.filter((other) => other !== key).toSpliced(to, 0, key));
    announce(texts.moved(labelOf(field), to + 1, fields.length));
  };
  if (fields.length === 0) return <Text>{texts.empty}</Text>;
  return (
    <>
      <DragDropProvider
        onDragEnd={(event) => {
          if (!event.canceled) onMove(move([...keys], event));
        }}
      >
        <DragStyleNonce />
        <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label={texts.title}>
          {fields.map((field, index) => {
            const key = keys[index] ?? index;
            return (
              <FieldRow
                key={key}
                id={key}
                index={index}
                count={fields.length}
                field={field}
                isSelected={selected === key}
                hasError={hasError(index)}
                onSelect={() => onSelect(key)}
                onStep={(to) => step(index, to)}
                onRemove={() => onRemove(index)}
              />
            );
          })}
        </Stack>
      </DragDropProvider>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </>
  );
}
