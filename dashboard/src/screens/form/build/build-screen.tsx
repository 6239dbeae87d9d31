import { ActionIcon, Box, Button, Group, Menu, SimpleGrid, Stack, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { FIELD_TYPES, type FieldType } from '@svcforms/contracts';
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { labelOf } from '../../../components/field-labels.ts';
import { Page } from '../../../components/page.tsx';
import { buildTexts as texts } from '../../../texts/build.ts';
import { shellTexts } from '../../../texts/shell.ts';
import { DraftBar } from '../draft/draft-bar.tsx';
import { useFormDraft, type FormDraft } from '../draft/use-form-draft.ts';
import { useSavedForm } from '../layout/use-saved-form.ts';
import { BuildPreview } from './build-preview.tsx';
import { confirmUsed } from './confirm-used.tsx';
import { FieldEditor } from './field-editor.tsx';
import { FieldList } from './field-list.tsx';
import { earlierFields } from '../draft/fields.ts';
import { usesOf, usesOfOption } from '../draft/logic-edits.ts';
import { FormProperties } from './form-properties.tsx';
import { removeRow } from './remove-row.ts';
import { useBuilder } from './use-builder.ts';
import './build-screen.css';

/**
 * The title and the first inputs of a field's editor. Less of it in view looks as if nothing
 * happened.
 */
const EDITOR_START_PX = 240;

/** Edits the fields, the theme and the thank-you message of a form. */
export function BuildScreen() {
  const draft = useFormDraft();
  const saved = useSavedForm();
  const { form, errors } = draft;
  const { fields } = form;
  const { keys, selected, shown, ending, history, ...builder } = useBuilder(draft, saved.version);
  const index = selected === null ? -1 : keys.indexOf(selected);
  const field = fields[index];
  const inputs = useErrorsInView(errors);
  const editor = useRef<HTMLDivElement>(null);
  const reducesMotion = useReducedMotion();

  /** Selects the field of a row. Below a long list, the start of its editor comes into view. */
  function choose(key: number): void {
    // Renders the new editor first, because its height decides how far the page can scroll.
    flushSync(() => builder.select(key));
    const top = editor.current?.getBoundingClientRect().top ?? 0;
    const hidden = top + EDITOR_START_PX - window.innerHeight;
    // No further, so that the row stays in view too.
    if (hidden > 0) window.scrollBy({ top: hidden, behavior: reducesMotion ? 'auto' : 'smooth' });
  }

  /** Deletes a field, after a question if logic uses it. */
  function remove(n: number, button: Element): void {
    const removed = fields[n];
    if (!removed) return;
    confirmUsed(
      {
        title: texts.logic.deleteTitle(labelOf(removed)),
        text: texts.logic.deleteUsed,
        confirm: texts.logic.deleteConfirm,
      },
      usesOf(form, removed.name),
      () => removeRow(button, n, () => builder.remove(n)),
    );
  }

  return (
    <Page
      title={texts.title}
      of={form.name}
      actions={<DraftBar draft={draft} />}
      headerClassName="build-header"
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack miw={0} ref={inputs}>
          <Stack component="section" aria-label={texts.fields.title} gap="xs" data-rows>
            <FieldList
              fields={fields}
              keys={keys}
              selected={selected}
              hasError={(n) => Object.keys(errors).some((path) => path.startsWith(`fields.${n}.`))}
              onSelect={choose}
              onMove={builder.move}
              onDuplicate={builder.duplicate}
              onRemove={remove}
            />
            <Group justify="space-between">
              <AddFieldMenu onAdd={builder.add} />
              <Group gap={4}>
                <HistoryButton
                  label={shellTexts.undo}
                  icon={IconArrowBackUp}
                  isEnabled={history.canUndo}
                  onClick={history.undo}
                />
                <HistoryButton
                  label={texts.redo}
                  icon={IconArrowForwardUp}
                  isEnabled={history.canRedo}
                  onClick={history.redo}
                />
              </Group>
            </Group>
          </Stack>
          {field ? (
            <Box ref={editor}>
              <FieldEditor
                key={selected}
                field={field}
                others={fields.filter((_, n) => n !== index)}
                earlier={earlierFields(fields, index)}
                isNameSaved={saved.fields.some(({ name }) => name === field.name)}
                onChange={(changed, values) => builder.setField(index, changed, values)}
                onRemoveOption={(value, removeOption) =>
                  confirmUsed(
                    {
                      title: texts.logic.deleteOptionTitle(value),
                      text: texts.logic.deleteUsedOption,
                      confirm: texts.logic.deleteOptionConfirm,
                    },
                    usesOfOption(form, field.name, value),
                    removeOption,
                  )
                }
                error={(path) => errors[`fields.${index}.${path}`]}
              />
            </Box>
          ) : (
            fields.length > 0 && <Text c="dimmed">{texts.field.none}</Text>
          )}
          <FormProperties draft={{ ...draft, change: builder.change }} onEnding={builder.show} />
        </Stack>
        <BuildPreview
          formId={draft.formId}
          form={form}
          shown={shown}
          ending={ending}
          onShow={builder.show}
          step={field?.step ?? 1}
        />
      </SimpleGrid>
    </Page>
  );
}

/**
 * Returns a ref for the inputs, and goes to the first one with an error after a failed save, which
 * has opened its field or its section.
 */
function useErrorsInView(errors: FormDraft['errors']) {
  const inputs = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const invalid = inputs.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (Object.keys(errors).length === 0 || !invalid) return;
    invalid.focus({ preventScroll: true });
    invalid.scrollIntoView({ block: 'center' });
  }, [errors]);
  return inputs;
}

function AddFieldMenu({ onAdd }: { onAdd: (type: FieldType) => void }) {
  return (
    <Menu position="bottom-start" width={340} middlewares={{ flip: true, shift: true }}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          data-add-row
        >
          {texts.fields.add}
        </Button>
      </Menu.Target>
      {/* Two columns, so that every type is visible without scrolling. Arrow down goes down in them. */}
      <Menu.Dropdown>
        <SimpleGrid
          cols={2}
          spacing={0}
          verticalSpacing={0}
          style={{
            gridAutoFlow: 'column',
            gridTemplateRows: `repeat(${Math.ceil(FIELD_TYPES.length / 2)}, auto)`,
          }}
        >
          {FIELD_TYPES.map((type) => (
            <Menu.Item key={type} onClick={() => onAdd(type)}>
              {texts.fields.types[type]}
            </Menu.Item>
          ))}
        </SimpleGrid>
      </Menu.Dropdown>
    </Menu>
  );
}

function HistoryButton({
  label,
  icon: Icon,
  isEnabled,
  onClick,
}: {
  label: string;
  icon: typeof IconArrowBackUp;
  isEnabled: boolean;
  onClick: () => void;
}) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      disabled={!isEnabled}
      onClick={onClick}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
