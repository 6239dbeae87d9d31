import { Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Role, UserOut, UserPatch } from '@svcforms/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { changedProperties } from '../../api/changed-properties.ts';
import { invitationListQuery } from '../../api/invitations.ts';
import { meQuery, useMe } from '../../api/session.ts';
import { updateUser, createUser, userListQuery } from '../../api/users.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { NewPasswordInput } from '../../components/new-password-input.tsx';
import { toastSuccess } from '../../components/toast.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { RoleInput } from './role-input.tsx';

const texts = settingsTexts.users;

interface Values {
  name: string;
  email: string;
  role: Role;
  taskEmails: boolean;
  password: string;
}

/** Creates or edits a user. A failed save keeps the input. */
export function UserDialog({ user, onClose }: { user: UserOut | null; onClose: () => void }) {
  const queryClient = useQueryClient();
  const me = useMe();
  const isSelf = user?.id === me.id;
  const form = useForm<Values>({
    initialValues: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      role: user?.role ?? 'reviewer',
      taskEmails: user?.taskEmails ?? false,
      password: '',
    },
  });
  const save = useMutation({
    mutationFn: ({ email, password, ...rest }: Values) => {
      if (!user) return createUser({ ...rest, email, password });
      // Users change their own email and password in their profile, with the current password.
      const login = isSelf ? {} : { email, ...(password && { password }) };
      return updateUser(
        user.id,
        changedProperties<UserPatch>(form.getInitialValues(), { ...rest, ...login }),
      );
    },
    meta: { showsError: true },
    async onSuccess(saved) {
      toastSuccess(user ? settingsTexts.saved : texts.added(saved.name));
      onClose();
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: userListQuery.queryKey }),
        // Those of the address, and those that a user with another role has sent, are gone.
        queryClient.invalidateQueries({ queryKey: invitationListQuery.queryKey }),
        queryClient.invalidateQueries({ queryKey: meQuery.queryKey }),
      ]);
    },
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <FormDialog
      title={user ? texts.editTitle(user.name) : texts.add}
      confirm={user ? settingsTexts.save : texts.add}
      error={save.error}
      inputs={Object.keys(form.values)}
      hasChanges={form.isDirty()}
      isSaving={save.isPending}
      onSubmit={form.onSubmit((values) => save.mutate(values))}
      onClose={onClose}
    >
      <TextInput label={texts.name} required maxLength={200} data-autofocus {...form.getInputProps('name')} />
      {isSelf ? (
        <Text c="dimmed">{texts.ownLogin}</Text>
      ) : (
        <TextInput
          label={texts.email}
          type="email"
          required
          maxLength={254}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
      )}
      <RoleInput label={texts.role} {...form.getInputProps('role')} />
      {!isSelf && (
        <NewPasswordInput
          label={texts.password}
          description={user ? texts.newPasswordHint : texts.passwordHint}
          required={!user}
          {...form.getInputProps('password')}
        />
      )}
      <Switch label={texts.taskEmails} {...form.getInputProps('taskEmails', { type: 'checkbox' })} />
    </FormDialog>
  );
}
