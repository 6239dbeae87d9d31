import { Button, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { changedProperties } from '../../api/changed-properties.ts';
import { updateMe, meQuery, useHasScope, useMe } from '../../api/session.ts';
import { toastSuccess } from '../../components/toast.tsx';
import { UnsavedWarning } from '../../components/unsaved-warning.tsx';
import { settingsTexts } from '../../texts/settings.ts';

const texts = settingsTexts.profile;

export function ProfileForm() {
  const me = useMe();
  const decides = useHasScope('tasks:decide');
  const queryClient = useQueryClient();
  const form = useForm({ initialValues: { name: me.name, taskEmails: me.taskEmails } });
  const save = useMutation({
    mutationFn: (values: { name: string; taskEmails: boolean }) =>
      updateMe(changedProperties(form.getInitialValues(), values)),
    onSuccess(changed, sent) {
      queryClient.setQueryData(meQuery.queryKey, changed);
      const saved = { name: changed.name, taskEmails: changed.taskEmails };
      // What the user entered during the save stays.
      form.setValues({ ...saved, ...changedProperties(sent, form.getValues()) });
      form.resetDirty(saved);
      toastSuccess(settingsTexts.saved);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <UnsavedWarning when={form.isDirty()} />
      <Stack maw={480}>
        <TextInput
          label={texts.name}
          required
          maxLength={200}
          autoComplete="name"
          {...form.getInputProps('name')}
        />
        <TextInput label={texts.email} description={texts.emailHint} value={me.email} readOnly />
        {decides && (
          <Switch label={texts.taskEmails} {...form.getInputProps('taskEmails', { type: 'checkbox' })} />
        )}
        <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
          {settingsTexts.save}
        </Button>
      </Stack>
    </form>
  );
}
