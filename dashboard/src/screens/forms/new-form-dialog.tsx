import { Button, Radio, ScrollArea, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFilePlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formErrors } from '../../api/api-error.ts';
import { createDraft, templatesQuery } from '../../api/form-copies.ts';
import { formKeys } from '../../api/forms.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { formsTexts } from '../../texts/forms.ts';
import { TemplatePreview, TemplateThumbnail } from './template-preview.tsx';
import './templates.css';

const texts = formsTexts.new;
const BLANK = '';
const HEIGHT = 410;

/** Creates the draft of a form, blank or from a template, and opens the builder. */
export function NewFormDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const templates = useQuery(templatesQuery);
  const form = useForm({ initialValues: { name: '', template: BLANK } });
  const create = useMutation({
    mutationFn({ name, template }: { name: string; template: string }) {
      const chosen = templates.data?.find((one) => one.name === template);
      const { description, title, intro, fields = [], settings = {} } = chosen ?? {};
      return createDraft({
        name,
        fields,
        settings: { ...settings, spam: settings.spam ?? { isEnabled: true } },
        ...(description !== undefined && { description }),
        ...(title !== undefined && { title }),
        ...(intro !== undefined && { intro }),
      });
    },
    meta: { showsError: true },
    async onSuccess(made) {
      onClose();
      await queryClient.invalidateQueries({ queryKey: formKeys.all });
      await navigate({ to: '/forms/$formId/build', params: { formId: made.id } });
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  // The name follows the template until the user enters one.
  const isNamed = form.values.name !== form.values.template;
  function choose(template: string): void {
    if (!isNamed) form.setFieldValue('name', template);
    form.setFieldValue('template', template);
  }
  return (
    <OpenedModal
      hasChanges={isNamed && !create.isPending}
      onClose={onClose}
      title={texts.title}
      size="min(72rem, 95vw)"
    >
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack>
          <FailureAlert error={create.error} inputs={Object.keys(form.values)} comesIntoView />
          <TextInput
            label={texts.name}
            required
            maxLength={200}
            data-autofocus
            {...form.getInputProps('name')}
          />
          {templates.isPending && <Loading />}
          {templates.isError && <FailureAlert error={templates.error} retry={templates.refetch} />}
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Radio.Group label={texts.start} {...form.getInputProps('template')} onChange={choose}>
              <ScrollArea.Autosize mah={{ base: 300, sm: HEIGHT }} mt="xs" type="auto" offsetScrollbars>
                <div className="template-cards">
                  <TemplateCard value={BLANK} label={texts.blank} description={texts.blankText}>
                    <div className="template-thumbnail template-thumbnail-blank">
                      <IconFilePlus size={28} stroke={1.5} aria-hidden />
                    </div>
                  </TemplateCard>
                  {templates.data?.map((template) => (
                    <TemplateCard
                      key={template.name}
                      value={template.name}
                      label={template.name}
                      description={template.description}
                    >
                      <TemplateThumbnail template={template} />
                    </TemplateCard>
                  ))}
                </div>
              </ScrollArea.Autosize>
            </Radio.Group>
            <TemplatePreview template={templates.data?.find(({ name }) => name === form.values.template)} />
          </SimpleGrid>
          <Button type="submit" loading={create.isPending}>
            {texts.create}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}

/** A choice of the gallery, with what it looks like. */
function TemplateCard({
  value,
  label,
  description,
  children,
}: {
  value: string;
  label: string;
  description: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="template-card">
      {children}
      <Radio className="template-card-text" value={value} label={label} description={description} />
    </div>
  );
}
