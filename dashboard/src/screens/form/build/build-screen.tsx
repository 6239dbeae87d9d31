import {
  Accordion,
  ActionIcon,
  Box,
  Button,
  Group,
  List,
  Menu,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Textarea,
} from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { modals } from '@mantine/modals';
import { FIELD_TYPES, themeContrast, type FieldType, type FormField } from '@svcforms/contracts';
import { IconArrowBackUp, IconArrowForwardUp, IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { labelOf } from '../../../components/field-labels.ts';
import { Page } from '../../../components/page.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { buildTexts as texts } from '../../../texts/build.ts';
import { shellTexts } from '../../../texts/shell.ts';
import { DraftBar } from '../draft/draft-bar.tsx';
import { errorUnder } from '../draft/error-under.ts';
import { useFormDraft, type FormDraft } from '../draft/use-form-draft.ts';
import { useSavedForm } from '../layout/use-saved-form.ts';
import { withProperty } from '../draft/with-property.ts';
import { EndingInputs } from './appearance-inputs.tsx';
import { ApprovalsInputs } from './approvals-inputs.tsx';
import { approvalsTexts } from '../../../texts/groups.ts';
import { BuildPreview, type ShowPart } from './build-preview.tsx';
import { FieldEditor } from './field-editor.tsx';
import { FieldList } from './field-list.tsx';
import { earlierFields } from '../draft/fields.ts';
import { JumpInputs } from './jump-inputs.tsx';
import { usesOf } from '../draft/logic-edits.ts';
import { SpamInputs } from './spam-inputs.tsx';
import { ThemeInputs } from './theme-inputs.tsx';
import { useBuilder } from './use-builder.ts';

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
  const editor = useRef<HTMLDivElement>(null);
  const reducesMotion = useReducedMotion();

  /** Selects the field of a row. Below a long list, its editor comes into view. */
  function choose(key: number): void {
    // Renders the new editor first, because its height decides how far the page can scroll.
    flushSync(() => builder.select(key));
    const top = editor.current?.getBoundingClientRect().top ?? 0;
    if (top + EDITOR_START_PX > window.innerHeight)
      editor.current?.scrollIntoView({ behavior: reducesMotion ? 'auto' : 'smooth' });
  }

  return (
    <Page title={texts.title} of={form.name} actions={<DraftBar draft={draft} />}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <Stack miw={0}>
          <Stack component="section" aria-label={texts.fields.title} gap="xs">
            <FieldList
              fields={fields}
              keys={keys}
              selected={selected}
              hasError={(n) => Object.keys(errors).some((path) => path.startsWith(`fields.${n}.`))}
              onSelect={choose}
              onMove={builder.move}
              onRemove={(n) => confirmRemoval(form, fields[n], () => builder.remove(n))}
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
            <Box
              ref={editor}
              style={{ scrollMarginTop: 'calc(var(--app-shell-header-height, 56px) + 1rem)' }}
            >
              <FieldEditor
                key={selected}
                field={field}
                others={fields.filter((_, n) => n !== index)}
                earlier={earlierFields(fields, index)}
                isNameSaved={saved.fields.some(({ name }) => name === field.name)}
                onChange={(changed) => builder.setField(index, changed)}
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

/** Asks before a field is removed that logic uses, because that changes other parts of the form. */
function confirmRemoval(form: FormDraft['form'], field: FormField | undefined, remove: () => void): void {
  const uses = field ? usesOf(form, field.name) : [];
  if (!field || uses.length === 0) return remove();
  modals.openConfirmModal({
    title: texts.logic.deleteTitle(labelOf(field)),
    children: (
      <>
        <Text>{texts.logic.deleteUsed}</Text>
        <List>
          {uses.map((use, index) => (
            <List.Item key={index}>{use}</List.Item>
          ))}
        </List>
      </>
    ),
    labels: { confirm: texts.logic.deleteConfirm, cancel: texts.logic.cancel },
    confirmProps: { color: 'red' },
    onConfirm: remove,
  });
}

function AddFieldMenu({ onAdd }: { onAdd: (type: FieldType) => void }) {
  return (
    <Menu position="bottom-start" width={340} middlewares={{ flip: true, shift: true }}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
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

/** Everything except the fields: name, description, theme, thank-you message and approvals. */
function FormProperties({
  draft: { form, change, errors },
  onEnding,
}: {
  draft: FormDraft;
  /** The user goes to an input that belongs to the thank-you page, or to the form. */
  onEnding: ShowPart;
}) {
  const settingsProps = {
    settings: form.settings,
    onChange: (settings: FormDraft['form']['settings']) => change({ ...form, settings }),
    error: (path: string) => errors[`settings.${path}`],
  };
  return (
    <Accordion multiple defaultValue={[]} variant="contained" order={3}>
      <Accordion.Item value="about">
        <Accordion.Control>{texts.about}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <TextInput
              label={texts.name}
              required
              maxLength={200}
              value={form.name}
              error={errors['name']}
              onChange={({ currentTarget }) => change({ ...form, name: currentTarget.value })}
            />
            <TextInput
              label={texts.formTitle}
              description={texts.formTitleHint}
              maxLength={200}
              value={form.title ?? ''}
              error={errors['title']}
              onChange={({ currentTarget }) => change(withProperty(form, 'title', currentTarget.value))}
            />
            <Textarea
              label={texts.intro}
              description={texts.introHint}
              autosize
              minRows={2}
              maxLength={2000}
              value={form.intro ?? ''}
              error={errors['intro']}
              onChange={({ currentTarget }) => change(withProperty(form, 'intro', currentTarget.value))}
            />
            <Textarea
              label={texts.description}
              description={texts.descriptionHint}
              autosize
              value={form.description ?? ''}
              error={errors['description']}
              onChange={({ currentTarget }) => change(withProperty(form, 'description', currentTarget.value))}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="theme">
        <Accordion.Control>
          <Group gap="xs">
            {texts.theme.title}
            {themeContrast(form.settings.theme ?? {}).length > 0 && (
              <StatusBadge tone="attention">{texts.design.contrast.hard}</StatusBadge>
            )}
          </Group>
        </Accordion.Control>
        <Accordion.Panel>
          <ThemeInputs {...settingsProps} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="jumps">
        <Accordion.Control>{texts.logic.title}</Accordion.Control>
        <Accordion.Panel>
          <JumpInputs fields={form.fields} {...settingsProps} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="ending">
        <Accordion.Control>{texts.ending.title}</Accordion.Control>
        <Accordion.Panel>
          <EndingInputs fields={form.fields} {...settingsProps} onPart={onEnding} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="approvals">
        <Accordion.Control>{approvalsTexts.title}</Accordion.Control>
        <Accordion.Panel>
          <ApprovalsInputs {...settingsProps} error={(path) => errorUnder(errors, `settings.${path}`)} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="spam">
        <Accordion.Control>{texts.spam.title}</Accordion.Control>
        <Accordion.Panel>
          <SpamInputs {...settingsProps} errors={errors} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
