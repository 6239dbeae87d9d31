import { Box, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { publicForm, type FormDefinition, type PreviewRequest, type PublicForm } from '@svcforms/contracts';
import { useMemo, useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { FormPreview } from '../../../components/form-preview.tsx';

const texts = buildTexts.preview;
const TYPING_ENDS_AFTER_MS = 200;
/** The width of a common phone, in pixels. */
const PHONE_WIDTH = 375;

export type ShownPart = 'form' | 'thankYou';
/**
 * Shows a part of the form; of the thank-you page the ending with this index, or the default one.
 */
export type ShowPart = (part: ShownPart, ending?: number) => void;

/** Previews the draft with the embed's renderer: the part and the step that the user edits. */
export function BuildPreview({
  formId,
  form,
  shown,
  ending,
  onShow,
  step,
}: {
  formId: string;
  form: FormDefinition;
  shown: ShownPart;
  /** The index of the ending that the thank-you page shows; undefined for the default one. */
  ending: number | undefined;
  onShow: ShowPart;
  /** The step of the selected field. */
  step: number;
}) {
  const [device, setDevice] = useState<'desktop' | 'phone'>('desktop');
  const [mode, setMode] = useState<'inline' | 'popup'>('inline');
  const [debounced] = useDebouncedValue(form, TYPING_ENDS_AFTER_MS);
  const request = useMemo<PreviewRequest>(() => {
    const previewed = publicForm(formId, debounced);
    if (shown === 'thankYou') return { show: 'thankYou', form: withEnding(previewed, ending) };
    if (mode === 'inline') return { show: 'form', form: previewed, step };
    return { show: 'popup', form: previewed, isGuardOver: true, opensNow: true, step, keepsFocus: true };
  }, [shown, ending, mode, step, formId, debounced]);
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
          onChange={(part) => onShow(part)}
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
          key={request.show === 'popup' ? JSON.stringify(request) : 'inline'}
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

/**
 * The form with an ending in place of its thank-you page: the preview has no answers that choose
 * it.
 */
function withEnding(form: PublicForm, index: number | undefined): PublicForm {
  const { endings, ...rest } = form;
  const ending = index === undefined ? undefined : endings?.[index];
  return ending ? { ...rest, thankYou: ending } : form;
}

const choices = <Value extends 'form' | 'thankYou' | 'inline' | 'popup' | 'desktop' | 'phone'>(
  ...values: Value[]
) => values.map((value) => ({ value, label: texts[value] }));
