import { Button, Modal, Radio, ScrollArea, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { formErrors } from '../../api/api-error.ts';
import { createDraft, templatesQuery } from '../../api/form-copies.ts';
import { formKeys } from '../../api/forms.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { Loading } from '../../components/loading.tsx';
import { formsTexts } from '../../texts/forms.ts';
import { TemplatePreview } from './template-preview.tsx';

const texts = formsTexts.new;
const BLANK = '';

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
  /** The name follows the template until the user enters one. */
  function choose(template: string): void {
    if (form.values.name === form.values.template) form.setFieldValue('name', template);
    form.setFieldValue('template', template);
  }
  return (
    <Modal opened onClose={onClose} title={texts.title} size="xl">
      <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
        <Stack>
          <FailureAlert error={create.error} inputs={Object.keys(form.values)} />
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
              <ScrollArea.Autosize mah={{ base: 220, sm: 400 }} mt="xs" type="auto" offsetScrollbars>
                <Stack gap="xs">
                  <Radio value={BLANK} label={texts.blank} description={texts.blankText} />
                  {templates.data?.map(({ name, description }) => (
                    <Radio key={name} value={name} label={name} description={description} />
                  ))}
                </Stack>
              </ScrollArea.Autosize>
            </Radio.Group>
            <TemplatePreview template={templates.data?.find(({ name }) => name === form.values.template)} />
          </SimpleGrid>
          <Button type="submit" loading={create.isPending}>
            {texts.create}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
