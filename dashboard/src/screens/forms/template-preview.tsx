import { Box, Paper, Text } from '@mantine/core';
import { publicForm, type FormTemplate, type PreviewRequest } from '@svcforms/contracts';
import { useMemo } from 'react';
import { formsTexts } from '../../texts/forms.ts';
import { FormPreview } from '../../components/form-preview.tsx';

const texts = formsTexts.new;
const HEIGHT = 440;
/** The preview sends nothing, so any id will do. */
const ID = 'frm_00000000000000000000000000';

/** The chosen template as visitors see it. */
export function TemplatePreview({ template }: { template: FormTemplate | undefined }) {
  const request = useMemo(() => template && previewOf(template), [template]);
  if (!request) {
    return (
      <Paper withBorder h={HEIGHT} p="md" visibleFrom="sm">
        <Text c="dimmed">{texts.noPreview}</Text>
      </Paper>
    );
  }
  return <FormPreview title={texts.preview} request={request} height={HEIGHT} />;
}

/** The template in small, to look at only. A screen reader reads its name instead. */
export function TemplateThumbnail({ template }: { template: FormTemplate }) {
  const request = useMemo(() => previewOf(template), [template]);
  return (
    <Box className="template-thumbnail" inert aria-hidden>
      <Box className="template-thumbnail-page">
        <FormPreview title={template.name} request={request} height={PAGE_HEIGHT} isLazy />
      </Box>
    </Box>
  );
}

/** The height of the page that a thumbnail shows the top of, as in templates.css. */
const PAGE_HEIGHT = 480;

function previewOf({ name, title, intro, fields, settings }: FormTemplate): PreviewRequest {
  return {
    show: 'form',
    form: publicForm(ID, {
      name,
      ...(title !== undefined && { title }),
      ...(intro !== undefined && { intro }),
      fields,
      settings,
    }),
  };
}
