import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { GroupIn, GroupOut, GroupPatch } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { changedProperties } from '../../api/changed-properties.ts';
import { allGroupsQuery, createGroup, readGroup, updateGroup } from '../../api/groups.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { UsersInput } from '../../components/people-input.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { groupsTexts as texts } from '../../texts/groups.ts';
import { settingsTexts } from '../../texts/settings.ts';

/** Creates or edits a group. A failed save keeps the input. */
export function GroupDialog({ group, onClose }: { group: GroupOut | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const form = useForm<GroupIn>({
    initialValues: { name: group?.name ?? '', members: group?.members ?? [] },
  });
  const save = useMutation({
    mutationFn: (values: GroupIn) =>
      group ? saveChanges(group.id, form.getInitialValues(), values) : createGroup(values),
    meta: { showsError: true },
    async onSuccess({ name }) {
      toastSuccess(group ? settingsTexts.saved : texts.added(name));
      onClose();
      await queryClient.invalidateQueries({ queryKey: allGroupsQuery.queryKey });
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <FormDialog
      title={group ? texts.editTitle(group.name) : texts.add}
      confirm={group ? settingsTexts.save : texts.add}
      error={save.error}
      inputs={Object.keys(form.values)}
      hasChanges={form.isDirty()}
      isSaving={save.isPending}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextInput label={texts.name} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <UsersInput
        label={texts.members}
        value={form.values.members}
        onChange={(members) => form.setFieldValue('members', members)}
        error={form.errors['members']}
      />
    </FormDialog>
  );
}

/**
 * Adds and removes only whom the user added and removed, so that others can edit the group
 * meanwhile.
 */
async function saveChanges(groupId: string, before: GroupIn, after: GroupIn): Promise<GroupOut> {
  const patch = changedProperties<GroupPatch>(before, after);
  if (!patch.members) return updateGroup(groupId, patch);
  const { members } = await readGroup(groupId);
  const stay = members.filter((id) => after.members.includes(id) || !before.members.includes(id));
  const added = after.members.filter((id) => !before.members.includes(id));
  return updateGroup(groupId, { ...patch, members: [...new Set([...stay, ...added])] });
}
