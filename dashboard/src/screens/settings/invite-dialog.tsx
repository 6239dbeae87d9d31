import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationCreatedOut, Role } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { createInvitation } from '../../api/invitations.ts';
import { FormDialog } from '../../components/form-dialog.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { RoleInput } from './role-input.tsx';

const texts = settingsTexts.invitations;

/** Invites somebody. A failure keeps the input. */
export function InviteDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (invitation: InvitationCreatedOut) => void;
}) {
  const form = useForm<{ email: string; role: Role }>({ initialValues: { email: '', role: 'reviewer' } });
  const send = useMutation({
    mutationFn: createInvitation,
    meta: { showsError: true },
    onSuccess: onCreated,
    onError: (error) => form.setErrors(formErrors(error)),
  });
  return (
    <FormDialog
      title={texts.invite}
      confirm={texts.send}
      error={send.error}
      inputs={Object.keys(form.values)}
      hasChanges={form.isDirty()}
      isSaving={send.isPending}
      onSubmit={form.onSubmit((values) => send.mutate(values))}
      onClose={onClose}
    >
      <TextInput
        label={texts.email}
        description={texts.emailHint}
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleInput label={texts.role} {...form.getInputProps('role')} />
    </FormDialog>
  );
}
