import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InvitationCreatedOut, Role } from '@svcforms/contracts';
import { useMutation } from '@tanstack/react-query';
import { formErrors } from '../../api/api-error.ts';
import { createInvitation } from '../../api/invitations.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { OpenedModal } from '../../components/opened-modal.tsx';
import { settingsTexts } from '../../texts/settings.ts';
import { shellTexts } from '../../texts/shell.ts';
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
    <OpenedModal
      hasChanges={form.isDirty() && !send.isPending}
      onClose={onClose}
      title={texts.invite}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': shellTexts.close }}
    >
      <form onSubmit={form.onSubmit((values) => send.mutate(values))}>
        <Stack>
          <FailureAlert error={send.error} inputs={Object.keys(form.values)} comesIntoView />
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
          <Button type="submit" loading={send.isPending}>
            {texts.send}
          </Button>
        </Stack>
      </form>
    </OpenedModal>
  );
}
