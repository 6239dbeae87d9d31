import { Paper, Text } from '@mantine/core';
import { publicForm, type FormTemplate, type PreviewRequest } from '@svcforms/contracts';
import { useMemo } from 'react';
import { formsTexts } from '../../texts/forms.ts';
import { FormPreview } from '../form/draft/form-preview.tsx';

const texts = formsTexts.new;
const HEIGHT = 400;
/** The preview sends nothing, so any id will do. */
const ID = 'frm_00000000000000000000000000';

/** The chosen template as visitors see it. */
export function TemplatePreview({ template }: { template: FormTemplate | undefined }) {
  const request = useMemo<PreviewRequest | undefined>(
    () =>
      template && {
        show: 'form',
        form: publicForm(ID, {
          name: template.name,
          ...(template.title !== undefined && { title: template.title }),
          ...(template.intro !== undefined && { intro: template.intro }),
          fields: template.fields ?? [],
          settings: template.settings ?? {},
        }),
      },
    [template],
  );
  if (!request) {
    return (
      <Paper withBorder h={HEIGHT} p="md" visibleFrom="sm">
        <Text c="dimmed">{texts.noPreview}</Text>
      </Paper>
    );
  }
  return <FormPreview title={texts.preview} request={request} height={HEIGHT} />;
}
