import { Accordion, Group, Stack, TextInput, Textarea } from '@mantine/core';
import { themeContrast } from '@svcforms/contracts';
import { useState } from 'react';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { buildTexts as texts } from '../../../texts/build.ts';
import { errorUnder } from '../draft/error-under.ts';
import { BUILD_SECTIONS, buildSectionOf } from '../draft/setting-names.ts';
import type { FormDraft } from '../draft/use-form-draft.ts';
import { withProperty } from '../draft/with-property.ts';
import { EndingInputs } from './appearance-inputs.tsx';
import { ApprovalsInputs } from './approvals-inputs.tsx';
import type { ShowPart } from './build-preview.tsx';
import { JumpInputs } from './jump-inputs.tsx';
import { SpamInputs } from './spam-inputs.tsx';
import { ThemeInputs } from './theme-inputs.tsx';

/**
 * Everything except the fields: name, description, theme, thank-you message and approvals. A failed
 * save opens the sections with errors.
 */
export function FormProperties({
  draft: { form, change, errors },
  onEnding,
}: {
  draft: FormDraft;
  /** The user goes to an input that belongs to the thank-you page, or to the form. */
  onEnding: ShowPart;
}) {
  const [open, setOpen] = useState<string[]>([]);
  const [handledErrors, setHandledErrors] = useState(errors);
  if (handledErrors !== errors) {
    setHandledErrors(errors);
    const invalid = Object.keys(errors).flatMap((path) => buildSectionOf(path.split('.')) ?? []);
    setOpen([...new Set([...open, ...invalid])]);
  }
  const settingsProps = {
    settings: form.settings,
    onChange: (settings: FormDraft['form']['settings']) => change({ ...form, settings }),
    error: (path: string) => errors[`settings.${path}`],
  };
  return (
    <Accordion
      multiple
      value={open}
      onChange={setOpen}
      variant="contained"
      order={3}
      // Nothing moves while the page scrolls to an error, and closed inputs cost no time.
      transitionDuration={0}
      keepMounted={false}
    >
      <Accordion.Item value="about">
        <Accordion.Control>{BUILD_SECTIONS.about}</Accordion.Control>
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
            {BUILD_SECTIONS.theme}
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
        <Accordion.Control>{BUILD_SECTIONS.jumps}</Accordion.Control>
        <Accordion.Panel>
          <JumpInputs fields={form.fields} {...settingsProps} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="ending">
        <Accordion.Control>{BUILD_SECTIONS.ending}</Accordion.Control>
        <Accordion.Panel>
          <EndingInputs fields={form.fields} {...settingsProps} onPart={onEnding} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="approvals">
        <Accordion.Control>{BUILD_SECTIONS.approvals}</Accordion.Control>
        <Accordion.Panel>
          <ApprovalsInputs {...settingsProps} error={(path) => errorUnder(errors, `settings.${path}`)} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="spam">
        <Accordion.Control>{BUILD_SECTIONS.spam}</Accordion.Control>
        <Accordion.Panel>
          <SpamInputs {...settingsProps} errors={errors} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
