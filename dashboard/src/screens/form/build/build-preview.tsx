import { Box, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { publicForm, type FormDefinition, type PreviewRequest } from '@svcforms/contracts';
import { useMemo, useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { FormPreview } from '../draft/form-preview.tsx';
import './build-preview.css';

const texts = buildTexts.preview;
const TYPING_ENDS_AFTER_MS = 200;
/** The width of a common phone, in pixels. */
const PHONE_WIDTH = 375;

export type ShownPart = 'form' | 'thankYou';

/** Previews the draft with the embed's renderer: the part and the step that the user edits. */
export function BuildPreview({
  formId,
  form,
  shown,
  onShow,
  step,
}: {
  formId: string;
  form: FormDefinition;
  shown: ShownPart;
  onShow: (part: ShownPart) => void;
  /** The step of the selected field. */
  step: number;
}) {
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop');
  const [mode, setMode] = useState<'inline' | 'popup'>('inline');
  const [debounced] = useDebouncedValue(form, TYPING_ENDS_AFTER_MS);
  const request = useMemo<PreviewRequest>(() => {
    const previewed = publicForm(formId, debounced);
    if (shown === 'thankYou') return { show: 'thankYou', form: previewed };
    if (mode === 'inline') return { show: 'form', form: previewed, step };
    return { show: 'popup', form: previewed, isGuardOver: true, opensNow: true, keepsFocus: true };
  }, [shown, mode, step, formId, debounced]);
  return (
    <Stack
      gap="xs"
      component="section"
      aria-label={texts.title}
      aria-busy={debounced !== form}
      className="build-preview"
    >
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      <Group gap="xs">
        <SegmentedControl
          aria-label={texts.title}
          value={shown}
          onChange={onShow}
          data={choices('form', 'thankYou')}
        />
        <SegmentedControl
          aria-label={texts.mode}
          value={mode}
          onChange={setMode}
          data={choices('inline', 'popup')}
        />
        <SegmentedControl
          aria-label={texts.device}
          value={device}
          onChange={setDevice}
          data={choices('desktop', 'phone')}
        />
      </Group>
      <Box w="100%" maw={device === 'phone' ? PHONE_WIDTH : undefined} mx="auto">
        <FormPreview
          // A frame opens one popup: another one needs a new frame.
          key={request.show === 'popup' ? JSON.stringify(request.form) : 'inline'}
          title={texts.frame}
          request={request}
          height={560}
          keepsFocus={request.show === 'popup'}
        />
      </Box>
      <Text c="dimmed">{texts.note}</Text>
    </Stack>
  );
}

const choices = <Value extends 'form' | 'thankYou' | 'inline' | 'popup' | 'desktop' | 'phone'>(
  ...values: Value[]
) => values.map((value) => ({ value, label: texts[value] }));
