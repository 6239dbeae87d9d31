import { SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { publicForm, type FormDefinition, type PreviewRequest } from '@svcforms/contracts';
import { useMemo, useState } from 'react';
import { buildTexts } from '../../../texts/build.ts';
import { FormPreview } from '../draft/form-preview.tsx';

const texts = buildTexts.preview;
const TYPING_ENDS_AFTER_MS = 200;

/** Previews the draft with the embed's renderer. */
export function BuildPreview({ formId, form }: { formId: string; form: FormDefinition }) {
  const [show, setShow] = useState<'form' | 'thankYou'>('form');
  const [debounced] = useDebouncedValue(form, TYPING_ENDS_AFTER_MS);
  const request = useMemo<PreviewRequest>(
    () => ({ show, form: publicForm(formId, debounced) }),
    [show, formId, debounced],
  );
  return (
    <Stack gap="xs" component="section" aria-label={texts.title}>
      <Title order={3} size="h4">
        {texts.title}
      </Title>
      <SegmentedControl
        aria-label={texts.title}
        value={show}
        onChange={setShow}
        data={[
          { value: 'form', label: texts.form },
          { value: 'thankYou', label: texts.thankYou },
        ]}
      />
      <FormPreview title={texts.frame} request={request} height={560} />
      <Text c="dimmed">{texts.note}</Text>
    </Stack>
  );
}
